"""Direct replies to the corpus' own questions: what Circa's annotators were told not to write.

Wordings, the marks they stand for and the questions they fit are data (`wordings.toml`); this recipe dresses them
(fillers, typing slips), answers with the question's own auxiliary, and sets a yes, a no or a condition before or
after replies that real people wrote.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import Any

from ..corpora.circa import Row
from .example import Example

_OFFER = re.compile(
    r"(do (you|we) (want|need|fancy)|would you (like|care|want|mind)|want |wanna |can (i|we|you)|could (i|we|you)"
    r"|may (i|we)|shall|should (i|we)|care |how about|are you up for|feel like|do you feel like|is it ok|deploy"
    r"|delete)",
    re.IGNORECASE,
)
_PAST = re.compile(r"(have|has|had|did|didn't|haven't|was|were) ", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?P<aux>do|does|did|are|is|was|were|have|has|had|can|could|will|would|should)(?P<not>n't)? (?P<subject>\w+)",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(if|only|as long as|when|depends|depending|unless|once|provided|assuming)\b", re.IGNORECASE)
# Words that can turn a yes or a no round again, or put a condition on it.
_TURNS = re.compile(
    r"\b(if|but|only|unless|depends?|depending|when|once|maybe|perhaps|sure|know|actually|wait|though|although|not|no|never|n't"
    r"|as long|yes|probably|might|would|could|rather|wish)\b|n't\b|\?",
    re.IGNORECASE,
)
_ECHO = {
    "you": "I", "i": "you", "we": "we", "he": "he", "she": "she", "they": "they", "it": "it", "there": "there",
    "that": "it", "this": "it", "the": "it",
}  # fmt: skip
_PLURAL = ("are", "were", "do", "have")


@cache
def wordings() -> dict[str, Any]:
    """The wordings file, read once."""
    text = resources.files(__package__).joinpath("wordings.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def every_wording() -> list[str]:
    """Each whole reply that training may see as it stands: what test cases must not repeat."""
    data = wordings()
    replies: list[str] = [wording for group in data["group"] for wording in group["wordings"]]
    return [*replies, *data["conditions"]["wordings"]]


def direct_replies(rows: Sequence[Row], count: int, seed: int) -> list[Example]:
    """`count` direct replies to each distinct question of the rows, and as many to questions of other trades."""
    random = Random(seed)
    own: dict[str, list[Row]] = {}
    for row in rows:
        own.setdefault(row.question, []).append(row)
    said = _Said(own, [row.reply for row in rows if not _TURNS.search(row.reply)], random)
    examples = []
    for question in own:
        examples += [said.reply_to(question) for _ in range(count)]
    for question in wordings()["questions"]["wordings"]:
        examples += [said.reply_to(question) for _ in range(count * 3)]
    return examples


def off_topic(questions: Iterable[str], utterances: Sequence[str], seed: int) -> list[Example]:
    """One utterance that was said to somebody else, about something else, to each question."""
    random = Random(seed)
    target = {"other": 0.8, "middle": 0.2}
    return [Example.of(question, random.choice(utterances), target) for question in questions]


@dataclass(frozen=True)
class _Said:
    """What a direct reply can be made of: the question's own replies, and all that anybody said."""

    own: dict[str, list[Row]]
    anything: list[str]
    random: Random

    def reply_to(self, question: str) -> Example:
        makers = (_bare, _bare, _bare, _elaborated, _elaborated, _decided, _conditional, _echo)
        while True:
            made = self.random.choice(makers)(question, self, self.random)
            if made is not None:
                return Example.of(question, *made)


_Made = tuple[str, dict[str, float]] | None


def _bare(question: str, said: _Said, random: Random) -> _Made:
    kinds = _kinds(question)
    group = random.choice([g for g in wordings()["group"] if g["when"] in kinds])
    return _dressed(random.choice(group["wordings"]), random), group["target"]


def _kinds(question: str) -> set[str]:
    kinds = {"any"}
    if _OFFER.match(question):
        kinds.add("offer")
    if _PAST.match(question):
        kinds.add("past")
    return kinds


def _elaborated(question: str, said: _Said, random: Random) -> _Made:
    """A yes or a no before a reply of that meaning that somebody gave to this question."""
    siblings = said.own.get(question, [])
    definite = [row for row in siblings if row.relaxed in ("yes", "no", "middle", "conditional yes")]
    if not definite:
        return None
    row = random.choice(definite)
    label = row.relaxed or ""
    if label == "conditional yes" and not _CONDITION.match(row.reply):
        return None
    opening = {"yes": "yeses", "no": "noes", "middle": "maybes", "conditional yes": "yeses"}[label]
    reply = _joined(random.choice(wordings()[opening]["wordings"]), row.reply, random)
    return reply, {label: 1.0}


def _decided(question: str, said: _Said, random: Random) -> _Made:
    """A yes or a no before words that say nothing of the question: the opening alone decides."""
    if not said.anything:
        return None
    opening, label = random.choice((("yeses", "yes"), ("noes", "no")))
    rest = random.choice(said.anything)
    if label == "no" and random.random() < 0.2:  # "No, just the small ones" limits nothing that was granted
        rest = random.choice(("just ", "only ")) + rest[:1].lower() + rest[1:]
    return _joined(random.choice(wordings()[opening]["wordings"]), rest, random), {label: 1.0}


def _conditional(question: str, said: _Said, random: Random) -> _Made:
    condition = random.choice(wordings()["conditions"]["wordings"])
    if random.random() < 0.35:
        return _dressed(condition.removeprefix("but "), random), {"conditional yes": 1.0}
    if condition.startswith(("depend", "it depends", "that depends")):
        return _joined(random.choice(wordings()["maybes"]["wordings"]), condition, random), {"conditional yes": 1.0}
    return _joined(random.choice(wordings()["yeses"]["wordings"]), condition, random), {"conditional yes": 1.0}


def _echo(question: str, said: _Said, random: Random) -> _Made:
    """ "Do you ...?" - "I do." / "No, I don't." """
    found = _AUXILIARY.match(question)
    if not found:
        return None
    aux = found["aux"].lower()
    subject = _ECHO.get(found["subject"].lower())
    if subject is None or (subject == "it" and aux in _PLURAL):  # he or she, or they: nobody can tell from one word
        return None
    if subject == "I":
        aux = {"are": "am", "were": "was"}.get(aux, aux)
    elif subject == "you":
        aux = {"am": "are", "was": "were"}.get(aux, aux)
    yes = random.random() < 0.5
    negated = {"am": "am not", "can": "can't", "will": "won't"}.get(aux, aux + "n't")
    phrase = f"{subject} {aux if yes else negated}"
    if random.random() < 0.5:
        opening = random.choice(wordings()["yeses" if yes else "noes"]["wordings"])
        phrase = _joined(opening, phrase, random)
    return _dressed(phrase, random), {"yes" if yes else "no": 1.0}


def _joined(opening: str, rest: str, random: Random) -> str:
    mark = random.choice((", ", ", ", " ", ". ", "! ", "... "))
    if random.random() < 0.7 and not rest.startswith(("I ", "I'")):
        rest = rest[:1].lower() + rest[1:]
    return opening + mark + rest


def _dressed(reply: str, random: Random) -> str:
    """The wording with what surrounds it in speech and chat: fillers, stops, slips of the finger."""
    fillers = wordings()["fillers"]
    if random.random() < 0.12:
        reply = random.choice(fillers["before"]) + random.choice((" ", ", ", "... ")) + reply
    if random.random() < 0.25:
        after = random.choice(fillers["after"])
        reply += after if not after[0].isalpha() else " " + after
    if random.random() < 0.06 and len(reply) > 4:
        at = random.randrange(1, len(reply) - 2)
        reply = random.choice((
            reply[:at] + reply[at + 1] + reply[at] + reply[at + 2 :],
            reply[:at] + reply[at + 1 :],
            reply[:at] + reply[at] + reply[at:],
        ))  # fmt: skip
    return reply
