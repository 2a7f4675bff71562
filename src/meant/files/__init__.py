"""Files of rows, read and written as streams: csv, tsv, jsonl and parquet, in constant memory.

`source` gives bytes line by line, a reader (`delimited`, `jsonlines`, `parquet`) makes rows of them, `columns` finds
the question and the reply, `job` has them read block by block, and `output` takes the rows, with `sidecar` keeping
what is needed to go on after an interruption.
"""
