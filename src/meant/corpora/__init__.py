"""One file per corpus: where it is, its typed rows, how it is split, what is dropped and why."""
