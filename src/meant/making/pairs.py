"""Questions with replies that were given to other questions: text for a teacher to label.

A reply given to a question near by ("Do you cook?" for "Are you a good cook?") still answers it, often with another
meaning: exactly what a reader must look at the question for. A reply from anywhere in the situation mostly does not
answer, which must be learnt too. So half of the pairs are of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..corpora.circa import Row

NEIGHBOURS = 30


def swapped(rows: Sequence[Row], count: float, seed: int) -> list[tuple[str, str]]:
    """`count` replies of other questions for each row of a question, no pair twice, none that the rows have."""
    random = Random(seed)
    replies: dict[str, list[str]] = {}
    context: dict[str, str] = {}
    for row in rows:
        replies.setdefault(row.question, []).append(row.reply)
        context.setdefault(row.question, row.context)
    questions = list(replies)
    in_context: dict[str, list[str]] = {}
    for question in questions:
        in_context.setdefault(context[question], []).append(question)
    near = nearest(questions, replies, NEIGHBOURS)
    seen = {(row.question, row.reply) for row in rows}
    pairs = []
    for question in questions:
        for turn in range(round(count * len(replies[question]))):
            others = (turn % 2 and near[question]) or in_context[context[question]]
            pair = question, random.choice(replies[random.choice(others)])
            if pair not in seen:
                seen.add(pair)
                pairs.append(pair)
    return pairs


def nearest(questions: Sequence[str], replies: dict[str, list[str]], count: int) -> dict[str, list[str]]:
    """The questions that share the most telling words with each, in themselves and in their replies."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [" ".join([question] * 3 + replies[question]) for question in questions]
    try:
        vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2).fit_transform(texts)
    except ValueError:  # no telling word that two questions share, as happens where there are few
        return {question: [] for question in questions}
    count = min(count, len(questions) - 1)  # the last of all is the question itself
    near = {}
    for start in range(0, len(questions), 512):
        block = (vectors[start : start + 512] @ vectors.T).toarray()
        for offset, similarities in enumerate(block):
            similarities[start + offset] = -1.0
            best = similarities.argsort()[::-1][:count]
            near[questions[start + offset]] = [questions[i] for i in best]
    return near
