from __future__ import annotations

from meant import Reading


def test_confidence_is_the_probability_of_the_label() -> None:
    assert Reading("no", {"yes": 0.1, "no": 0.9}, "relaxed").confidence == 0.9


def test_absent_fields_are_left_out_of_the_dict() -> None:
    assert Reading("no", {"no": 1.0}, "relaxed").to_dict() == {
        "label": "no",
        "confidence": 1.0,
        "probabilities": {"no": 1.0},
        "scheme": "relaxed",
    }


def test_other_and_warning_are_in_the_dict_when_there() -> None:
    fields = Reading("no", {"no": 1.0}, "relaxed", other=0.0, warning="cut").to_dict()
    assert fields["other"] == 0.0
    assert fields["warning"] == "cut"


def test_a_reading_prints_its_label_and_confidence() -> None:
    assert str(Reading("no", {"yes": 0.03, "no": 0.97}, "relaxed")) == "no  (97 %)"
