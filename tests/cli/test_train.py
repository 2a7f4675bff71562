"""`meant train` as a real process: from a base to a bundle that reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from meant import Interpreter
from meant.corpora import circa

pytest.importorskip("torch", reason="needs PyTorch (meant[train])")

Meant = Callable[..., "subprocess.CompletedProcess[bytes]"]

needs_circa = pytest.mark.skipif(
    not (Path(os.environ.get("MEANT_DATA", "/nonexistent")) / "circa" / circa.FILE).is_file(),
    reason="needs Circa: set MEANT_DATA",
)
PLAIN = ("--off-topic", "0", "--direct", "0", "--written", "0", "--no-opposites")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, bundle: Path) -> Path:
    """A BERT of one layer that knows nothing."""
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("base")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(bundle / "tokenizer.json"),
        **{f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")},
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    size = {"hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 16, "num_hidden_layers": 1}
    BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), **size)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@needs_circa
def test_a_teacher_labels_pairs_a_student_learns_from_them_and_ships(meant: Meant, base: Path, tmp_path: Path) -> None:
    small = ("--split", "scenario:0", "--epochs", "1", "--batch", "512", "--max-length", "16")
    taught = meant("train", "reply", "--base", base, "--out", "teacher", "--sample", "600", "--json", *small, *PLAIN)
    assert taught.returncode == 0, taught.stderr
    record = json.loads(taught.stdout)
    assert record["rows"]["train"] == 600

    labelled = meant(
        "train", "pairs", "--teacher", "teacher", "--extra", "0", "--split", "scenario:0", "--out", "p.jsonl"
    )
    assert labelled.returncode == 0, labelled.stderr

    learnt = meant(
        "train", "reply", "--base", "teacher", "--pairs", "p.jsonl", "--sample", "500", "--refit",
        "--temperature-of", "teacher", "--out", "student", *small, *PLAIN,
    )  # fmt: skip
    assert learnt.returncode == 0, learnt.stderr
    assert "on pairs that the teachers labelled" in learnt.stdout.decode()
    again = json.loads((tmp_path / "student" / "meant.json").read_text(encoding="utf-8"))
    assert again["temperature"] == record["temperature"]

    written = meant("train", "export", "student", "--out", "bundle", "--name", "tiny")
    assert written.returncode == 0, written.stderr
    interpreter = Interpreter(tmp_path / "bundle")
    assert sum(interpreter.read([("Hungry?", "I just ate.")])[0].probabilities.values()) == pytest.approx(1)
    assert [source["name"] for source in interpreter.bundle.sources] == ["Circa", "meant's own examples"]
    assert str(tmp_path) not in (tmp_path / "bundle" / "bundle.json").read_text(encoding="utf-8")

    # A run that goes on from another one keeps its sources, wherever the earlier run is by then.
    edited = json.loads((tmp_path / "teacher" / "meant.json").read_text(encoding="utf-8"))
    edited["settings"]["data"]["sources"] = ["SNLI", "Circa"]
    (tmp_path / "teacher" / "meant.json").write_text(json.dumps(edited), encoding="utf-8")
    begun = meant("train", "reply", "--base", "teacher", "--sample", "100", "--out", "third", *small, *PLAIN)
    assert begun.returncode == 0, begun.stderr
    (tmp_path / "teacher").rename(tmp_path / "gone")
    assert meant("train", "export", "third", "--out", "bundle").returncode == 0
    sources = json.loads((tmp_path / "bundle" / "bundle.json").read_text(encoding="utf-8"))["sources"]
    assert [source["name"] for source in sources] == ["SNLI", "Circa", "meant's own examples"]
    (tmp_path / "gone").rename(tmp_path / "teacher")

    pytest.importorskip("matplotlib")
    assert meant("train", "plot", "teacher", "student", "--out", "loss.png").returncode == 0
    assert (tmp_path / "loss.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("reply", "--base", "nowhere/at-all", "--out", "x", *PLAIN), "neither a model folder nor a hub id"),
        (("reply", "--base", "x", "--out", "x", "--target", "silver"), "choose one of mixed, votes, gold"),
        (("reply", "--base", "x", "--out", "x", "--split", "mine"), "There is no split"),
        (("reply", "--base", "x", "--out", "x", "--layers", "one"), "--layers takes numbers"),
        (("reply", "--base", "x", "--out", "x", "--temperature-of", "nowhere"), "not a finished run"),
        (("reply", "--base", "x", "--out", "x", "--refit", *PLAIN), "nothing is left to fit a temperature on"),
        (("reply", "--base", "x", "--out", "x", "--pairs", "nowhere.jsonl"), "cannot be read"),
        (("reply", "--base", "x", "--out", "x", "--layers", "0,0"), "--layers takes each layer once"),
        (("reply", "--base", "x", "--out", "x", "--layers", "-1"), "--layers takes each layer once"),
        (("reply", "--base", "x", "--out", "x", "--sample", "-5"), "--sample"),
        (("reply", "--base", "x", "--out", "x", "--seed", "-1"), "--seed"),
        (("nli", "--base", "x", "--out", "x", "--seed", str(2**40)), "--seed"),
        (("nli", "--base", "x", "--out", "x", "--max-length", "65537"), "--max-length"),
        (("nli", "--base", "x", "--out", "x", "--learning-rate", "-1"), "--learning-rate takes a number above 0"),
        (("nli", "--base", "x", "--out", "x", "--learning-rate", "0"), "--learning-rate takes a number above 0"),
        (("nli", "--base", "x", "--out", "x", "--learning-rate", "nan"), "--learning-rate takes a number above 0"),
        (("nli", "--base", "x", "--out", "x", "--learning-rate", "inf"), "--learning-rate takes a number above 0"),
        (("pairs", "--teacher", "x", "--out", "x", "--extra", "inf"), "--extra takes a number from 0"),
        (("pairs", "--teacher", "x", "--out", "x", "--extra", "nan"), "--extra takes a number from 0"),
        (("export", "nowhere", "--out", "x"), "not a finished run"),
        (("plot", "nowhere", "--out", "x.png"), "has no log.jsonl"),
    ],
)
@needs_circa
def test_wrong_use_is_a_sentence_and_exit_code_2(meant: Meant, arguments: tuple[str, ...], sentence: str) -> None:
    done = meant("train", *arguments)
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False), done.stderr
    assert sentence in done.stderr.decode()


@pytest.mark.parametrize("command", ["reply", "export", "pairs"])
@pytest.mark.parametrize("content", ["{}", "[]", '{"settings": {"labels": ["a"]}, "temperature": 1}'])
def test_a_run_with_a_broken_record_is_a_sentence(meant: Meant, tmp_path: Path, command: str, content: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "meant.json").write_text(content, encoding="utf-8")
    given = {"reply": ("--base", "run"), "export": ("run",), "pairs": ("--teacher", "run", "--extra", "0")}[command]
    done = meant("train", command, *given, "--out", "out")
    assert done.returncode == 2 and b"run is not a finished run" in done.stderr, done.stderr


def test_alone_it_prints_its_help(meant: Meant) -> None:
    done = meant("train")
    assert (done.returncode, done.stderr) == (0, b"") and b"Usage: meant train" in done.stdout


WITHOUT = "import sys; sys.modules[sys.argv.pop(1)] = None; from meant.cli import main; main()"


@pytest.mark.parametrize("module", ["torch", "onnx", "accelerate", "sklearn"])
def test_a_missing_part_of_the_extra_is_told_before_the_work_and_help_needs_none(
    environment: dict[str, str], tmp_path: Path, module: str
) -> None:
    def without(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", WITHOUT, module, "train", *arguments]
        return subprocess.run(command, capture_output=True, env=environment, cwd=tmp_path, timeout=120)

    done = without("nli", "--base", "nowhere", "--out", "x")
    assert done.returncode == 2 and b"Training needs meant[train]" in done.stderr, done.stderr
    helped = without("reply", "--help")
    assert helped.returncode == 0 and b"--learning-rate" in helped.stdout
