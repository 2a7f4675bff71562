from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch (meant[train])")

import numpy as np  # noqa: E402
from safetensors.torch import load_file  # noqa: E402

from meant.errors import InputError, MeantError  # noqa: E402
from meant.labels import ENTAILMENT, HEAD  # noqa: E402
from meant.making.example import Example  # noqa: E402
from meant.runtime.calibration import negative_log_likelihood  # noqa: E402
from meant.training import model as models  # noqa: E402
from meant.training.encoding import Encoded  # noqa: E402
from meant.training.finetune import finetune, predict  # noqa: E402
from meant.training.settings import Settings  # noqa: E402

Make = Callable[..., Settings]

LONG = {"epochs": 9}  # 72 steps of 8 examples: the log has a line at step 50


class Stop(Exception):
    """What a progress bar may raise when somebody presses Ctrl-C."""


def stop(step: int, total: int, loss: float) -> None:
    raise Stop


def weights(run: Path) -> dict[str, torch.Tensor]:
    return load_file(run / "model.safetensors")


def same(one: Path, other: Path) -> bool:
    a, b = weights(one), weights(other)
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def log(run: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def uninterrupted(base: Path, sixty: list[Example], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("uninterrupted") / "run"
    finetune(Settings(str(base), HEAD, learning_rate=5e-3, batch=8, max_length=32, epochs=9), sixty, sixty, out)
    return out


def test_the_loss_falls_and_the_examples_are_learnt(uninterrupted: Path) -> None:
    losses = [line["loss"] for line in log(uninterrupted)]
    assert losses[-1] < 0.8 * losses[0]
    assert models.record_of(uninterrupted)["dev_accuracy"] > 0.7


def test_the_log_says_where_a_run_is(uninterrupted: Path) -> None:
    lines = log(uninterrupted)
    assert [(line["step"], line["of"], line["epoch"]) for line in lines] == [(50, 72, 6), (72, 72, 8)]
    assert lines[0]["learning_rate"] > lines[1]["learning_rate"] == 0.0


def test_progress_is_told_to_the_end(settings: Make, sixty: list[Example], tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    finetune(settings(), sixty, [], tmp_path / "run", lambda step, total, loss: told.append((step, total)))
    assert told == [(16, 16)]


def test_the_temperature_is_fitted_on_dev(uninterrupted: Path, sixty: list[Example]) -> None:
    tokenizer, model = models.load(str(uninterrupted), HEAD)
    logits = predict(model, Encoded(tokenizer, [(each.question, each.reply) for each in sixty], 32))
    targets = np.array([each.target for each in sixty])
    record = models.record_of(uninterrupted)
    fitted = negative_log_likelihood(logits, targets, record["temperature"])
    assert fitted == pytest.approx(record["dev_loss"], abs=1e-4)
    for other in (record["temperature"] * 0.9, record["temperature"] * 1.1):
        assert fitted < negative_log_likelihood(logits, targets, other)


def test_a_temperature_that_is_given_is_kept(settings: Make, sixty: list[Example], tmp_path: Path) -> None:
    record = finetune(settings(epochs=1), sixty, sixty, tmp_path / "run", temperature=1.75)
    assert record["temperature"] == models.record_of(tmp_path / "run")["temperature"] == 1.75


def test_the_same_seed_trains_the_same_weights_and_another_seed_others(
    settings: Make, sixty: list[Example], tmp_path: Path
) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        finetune(settings(epochs=1, seed=seed), sixty, [], tmp_path / name)
    assert same(tmp_path / "a", tmp_path / "b")
    assert not same(tmp_path / "a", tmp_path / "c")


# A run that is killed.

CHILD = """
import json, sys, time
from pathlib import Path
from meant.making.example import Example
from meant.training.finetune import finetune
from meant.training.settings import Settings

def hang(step, total, loss):  # the parent kills us here
    Path(sys.argv[2], "hangs").write_text(str(step))
    time.sleep(300)

given = json.loads(Path(sys.argv[1]).read_text())
given["settings"]["labels"] = tuple(given["settings"]["labels"])
given["settings"]["layers"] = tuple(given["settings"]["layers"])
rows = [Example(question, reply, tuple(target)) for question, reply, target in given["rows"]]
finetune(Settings(**given["settings"]), rows, rows, Path(sys.argv[2], "run"), hang, save_every=20)
"""


def test_a_killed_run_ends_as_it_would_have_ended(
    settings: Make, sixty: list[Example], uninterrupted: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    given = tmp_path / "given.json"
    rows = [(each.question, each.reply, each.target) for each in sixty]
    given.write_text(json.dumps({"settings": vars(settings(**LONG)), "rows": rows}), encoding="utf-8")
    command = [sys.executable, "-c", CHILD, str(given), str(tmp_path)]
    with subprocess.Popen(command, env=environment | {"OMP_NUM_THREADS": "1"}, stderr=subprocess.PIPE) as child:
        while child.poll() is None and not (tmp_path / "hangs").exists():
            try:
                child.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL, child.stderr and child.stderr.read().decode()
    run = tmp_path / "run"
    assert json.loads((run / "checkpoint" / "run.json").read_text())["step"] == 40
    assert [line["step"] for line in log(run)] == [50]  # of which steps 41 to 50 are to be done again
    began: list[int] = []
    finetune(settings(**LONG), sixty, sixty, run, lambda step, total, loss: began.append(step), save_every=20)
    assert began == [50, 72]
    assert [line["step"] for line in log(run)] == [50, 72]
    assert same(run, uninterrupted)
    record, whole = models.record_of(run), models.record_of(uninterrupted)
    assert {**record, "seconds": 0} == {**whole, "seconds": 0}
    assert not (run / "checkpoint").exists()


@pytest.fixture
def stopped(settings: Make, sixty: list[Example], tmp_path: Path) -> Path:
    """A run that was stopped at step 50, its state of step 40 saved."""
    run = tmp_path / "stopped"
    with pytest.raises(Stop):
        finetune(settings(**LONG), sixty, sixty, run, stop, save_every=20)
    return run


def resumed(settings: Make, sixty: list[Example], run: Path) -> list[int]:
    """Goes on with a run; gives the steps it told of."""
    told: list[int] = []
    finetune(settings(**LONG), sixty, sixty, run, lambda step, total, loss: told.append(step), save_every=30)
    return told


def test_a_run_killed_while_it_put_its_state_in_place_goes_on_from_the_new_one(
    settings: Make, sixty: list[Example], uninterrupted: Path, stopped: Path
) -> None:
    (stopped / "checkpoint").rename(stopped / "checkpoint.new")
    # What the kill left of the state before: a part of its files.
    (stopped / "checkpoint").mkdir()
    (stopped / "checkpoint" / "random_states_0.pkl").write_bytes(b"half")
    lines = log(stopped)
    resumed(settings, sixty, stopped)
    assert lines[0] != log(stopped)[0] and len(log(stopped)) == 2
    assert same(stopped, uninterrupted)
    assert not (stopped / "checkpoint.new").exists()


def test_a_run_killed_while_it_saved_goes_on_from_the_state_before(
    settings: Make, sixty: list[Example], uninterrupted: Path, stopped: Path
) -> None:
    (stopped / "checkpoint.new").mkdir()
    (stopped / "checkpoint.new" / "model.safetensors").write_bytes(b"half")
    resumed(settings, sixty, stopped)
    assert same(stopped, uninterrupted)


def test_a_line_of_the_log_that_was_cut_is_dropped(
    settings: Make, sixty: list[Example], uninterrupted: Path, stopped: Path
) -> None:
    with (stopped / "log.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"step": 51, "of"')
    resumed(settings, sixty, stopped)
    assert [line["step"] for line in log(stopped)] == [50, 72]
    assert same(stopped, uninterrupted)


def test_broken_lines_of_the_log_are_dropped(settings: Make, sixty: list[Example], stopped: Path) -> None:
    with (stopped / "log.jsonl").open("ab") as out:
        for line in (b"[1]", b'{"step": 1}', b"{", b'{"step": "1", "loss": 1}', b"\xff", b"[" * 100_000):
            out.write(line + b"\n")
    resumed(settings, sixty, stopped)
    assert [line["step"] for line in log(stopped)] == [50, 72]


STATE = ("model.safetensors", "optimizer.bin", "random_states_0.pkl", "custom_checkpoint_0.pkl")


@pytest.mark.parametrize("name", STATE)
def test_a_state_that_is_damaged_is_a_sentence(settings: Make, sixty: list[Example], stopped: Path, name: str) -> None:
    file = stopped / "checkpoint" / name
    whole = file.read_bytes()
    for wrong in (whole[: len(whole) // 2], b"\0" * len(whole) if name != "random_states_0.pkl" else b"", None):
        file.unlink() if wrong is None else file.write_bytes(wrong)
        with pytest.raises(MeantError, match="checkpoint is damaged: delete it to begin again"):
            resumed(settings, sixty, stopped)


@pytest.mark.parametrize("content", [b"{}", b"[]", b"{", b"", b"\xff", b"5"])
def test_a_state_that_says_nothing_is_a_sentence(
    settings: Make, sixty: list[Example], stopped: Path, content: bytes
) -> None:
    (stopped / "checkpoint" / "run.json").write_bytes(content)
    with pytest.raises(MeantError, match="checkpoint is damaged: delete it to begin again"):
        resumed(settings, sixty, stopped)


def test_a_run_goes_on_with_its_own_settings_alone(settings: Make, sixty: list[Example], stopped: Path) -> None:
    with pytest.raises(InputError, match="holds a run with other settings or examples: name another folder"):
        finetune(settings(**LONG, seed=1), sixty, sixty, stopped)


def test_a_finished_run_is_not_trained_over(settings: Make, sixty: list[Example], finished: Path) -> None:
    before = (finished / "model.safetensors").read_bytes()
    with pytest.raises(InputError, match="holds a finished run: name another folder, or delete it"):
        finetune(settings(), sixty, sixty, finished)
    assert (finished / "model.safetensors").read_bytes() == before


def test_a_run_does_not_write_over_its_base(
    settings: Make, sixty: list[Example], base: Path, finished: Path, tmp_path: Path
) -> None:
    for source in (base, finished):
        folder = Path(shutil.copytree(source, tmp_path / source.name))
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        with pytest.raises(InputError, match="is the base itself: name another folder"):
            finetune(settings(base=str(folder)), sixty, [], folder / ".." / folder.name)
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_run_does_not_write_over_something_else(settings: Make, sixty: list[Example], tmp_path: Path) -> None:
    thesis = tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "chapter.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match="holds something that is no run: name another folder"):
        finetune(settings(base="nowhere"), sixty, [], thesis)
    with pytest.raises(InputError, match=r"chapter.txt is a file: name a folder"):
        finetune(settings(base="nowhere"), sixty, [], thesis / "chapter.txt")


@pytest.mark.parametrize("batch", [8, 60], ids=["the loss", "the last step"])
def test_weights_that_blew_up_are_a_sentence_and_no_run(
    settings: Make, sixty: list[Example], tmp_path: Path, batch: int
) -> None:
    with pytest.raises(MeantError, match="the loss is no number any more: lower the learning rate"):
        finetune(settings(learning_rate=1e30, epochs=1, batch=batch), sixty, [], tmp_path / "run")
    assert not (tmp_path / "run" / models.RECORD).exists()


def test_more_tokens_than_the_base_has_positions_for_are_a_sentence(
    settings: Make, sixty: list[Example], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="reads at most 160 tokens: give --max-length 160 or less"):
        finetune(settings(max_length=161), sixty, [], tmp_path / "run")


def test_nothing_to_train_on_is_a_sentence(settings: Make, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the train part is empty"):
        finetune(settings(), [], [], tmp_path / "run")


def test_an_unknown_precision_is_a_sentence(settings: Make, sixty: list[Example], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no precision 'fp8': choose one of auto, bf16, fp32"):
        finetune(settings(precision="fp8"), sixty, [], tmp_path / "run")


# Chains.


def inferences(rows: list[Example]) -> list[Example]:
    labels = [ENTAILMENT[i % 3] for i in range(len(rows))]
    return [Example.of(e.question, e.reply, {label: 1.0}, ENTAILMENT) for e, label in zip(rows, labels, strict=True)]


def test_a_chain_goes_on_from_the_first_runs_encoder_with_a_new_head(
    settings: Make, sixty: list[Example], tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    finetune(settings(epochs=1, labels=ENTAILMENT), inferences(sixty), [], first)
    finetune(settings(epochs=1, base=str(first), learning_rate=0.0), sixty, [], second)
    before, after = weights(first), weights(second)
    assert [after[name].shape[0] for name in ("classifier.weight", "classifier.bias")] == [len(HEAD)] * 2
    encoder = [name for name in before if not name.startswith("classifier.")]
    assert len(encoder) > 30 and all(torch.equal(before[name], after[name]) for name in encoder)


def test_a_second_run_with_the_same_labels_keeps_the_head(
    settings: Make, sixty: list[Example], finished: Path, tmp_path: Path
) -> None:
    record = finetune(settings(epochs=1, base=str(finished), learning_rate=0.0), sixty, sixty, tmp_path / "run")
    assert same(tmp_path / "run", finished)
    assert record["dev_accuracy"] == models.record_of(finished)["dev_accuracy"]


def test_a_run_on_some_of_the_layers_can_be_loaded_again(settings: Make, sixty: list[Example], tmp_path: Path) -> None:
    finetune(settings(epochs=1, layers=(1,)), sixty, [], tmp_path / "run")
    tokenizer, model = models.load(str(tmp_path / "run"), HEAD)
    assert len(model.base_model.encoder.layer) == 1
    assert not [name for name in weights(tmp_path / "run") if ".layer.1." in name]


def test_predictions_do_not_depend_on_the_order_or_on_the_batch(finished: Path, sixty: list[Example]) -> None:
    tokenizer, model = models.load(str(finished), HEAD)
    pairs = [(each.question, each.reply) for each in sixty]
    whole = predict(model, Encoded(tokenizer, pairs, 32))
    backwards = predict(model, Encoded(tokenizer, pairs[::-1], 32), batch=7)
    assert whole == pytest.approx(backwards[::-1], abs=1e-5)
