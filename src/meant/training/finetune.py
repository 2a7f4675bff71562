"""Fine-tuning a pair classifier on target distributions, on a CPU, one GPU or several, resumable at any moment."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from ..errors import InputError, MeantError
from ..making.example import Example
from ..runtime.calibration import fit_temperature, match_confidence, softmax
from . import model as models
from .encoding import Encoded
from .log import entry
from .plan import batch_count, epoch_batches
from .settings import Settings

Progress = Callable[[int, int, float], None]


def finetune(
    settings: Settings,
    train: Sequence[Example],
    dev: Sequence[Example],
    out: Path,
    progress: Progress | None = None,
    save_every: int = 500,
    temperature: float | None = None,
    taught: bool = False,
) -> dict[str, Any]:
    """Train, fit the temperature on dev (or take the one given), leave a checkpoint folder; gives its record.

    `taught` says that dev's targets are teachers' probabilities, not what people chose.

    A killed run goes on from its last saved step when it is started again with the same settings, and ends as it
    would have ended (on a CPU: bit for bit).
    """
    if not train:
        raise InputError("There is nothing to train on: the train part is empty.")
    check_out(out, settings.base)
    accelerator = Accelerator(mixed_precision=_precision(settings.precision))
    set_seed(settings.seed)
    tokenizer, model = models.load(settings.base, settings.labels, settings.layers)
    models.check_length(settings.base, model, settings.max_length)
    encoded = Encoded(tokenizer, _texts(train), settings.max_length)
    targets = torch.tensor([e.target for e in train], dtype=torch.float32)
    run = _Run(settings, accelerator, model, encoded, targets, out, save_every)
    run.go(progress)
    accelerator.wait_for_everyone()
    trained = accelerator.unwrap_model(run.model)
    # The last loss was taken before the last step, which may have been too long as well.
    if not np.isfinite(predict(trained, Encoded(tokenizer, _texts(train[:8]), settings.max_length))).all():
        raise _diverged(run.step)
    record = _record(settings, len(train), len(dev), run.seconds)
    if temperature is not None:
        record["temperature"] = temperature
    if dev:
        logits = predict(trained, Encoded(tokenizer, _texts(dev), settings.max_length))
        golds = np.asarray([e.target for e in dev])
        if temperature is None:
            record["temperature"] = (match_confidence if taught else fit_temperature)(logits, golds)
        record["dev_accuracy"] = float((logits.argmax(1) == golds.argmax(1)).mean())
        record["dev_loss"] = float(-(golds * np.log(softmax(logits, record["temperature"]) + 1e-12)).sum(1).mean())
    if accelerator.is_main_process:
        models.save(out, tokenizer, trained.float(), record)
        shutil.rmtree(out / _Run.CHECKPOINT, ignore_errors=True)
    accelerator.wait_for_everyone()
    return record


def check_out(out: Path, base: str) -> None:
    """A sentence where a run in that folder would write over something else."""
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{out} is a file: name a folder for the run.")
    if Path(base).exists() and out.samefile(base):
        raise InputError(f"{out} is the base itself: name another folder for the run.")
    held = {file.name for file in out.iterdir()}
    if models.RECORD in held:
        raise InputError(f"{out} holds a finished run: name another folder, or delete it.")
    if held and not held & {_Run.CHECKPOINT, _Run.NEW, _Run.LOG}:
        raise InputError(f"{out} holds something that is no run: name another folder.")


def _texts(examples: Sequence[Example]) -> list[tuple[str, str]]:
    return [(example.question, example.reply) for example in examples]


def _diverged(step: int) -> MeantError:
    return MeantError(f"By step {step:,} the loss is no number any more: lower the learning rate.")


def _digest(settings: Settings, encoded: Encoded, targets: torch.Tensor) -> str:
    """A short name of the settings and of every example: a run may only be resumed with what it began with."""
    digest = hashlib.sha256(settings.digest().encode())
    for ids in encoded.ids:
        digest.update(ids.tobytes())
    digest.update(targets.numpy().tobytes())
    return digest.hexdigest()[:16]


def _precision(wanted: str) -> str:
    choices = {"auto": "bf16" if torch.cuda.is_available() else "no", "bf16": "bf16", "fp32": "no"}
    if wanted not in choices:
        raise InputError(f"There is no precision {wanted[:20]!r}: choose one of {', '.join(choices)}.")
    return choices[wanted]


def _record(settings: Settings, train: int, dev: int, seconds: float) -> dict[str, Any]:
    return {
        "settings": asdict(settings),
        "digest": settings.digest(),
        "rows": {"train": train, "dev": dev},
        "temperature": 1.0,
        "seconds": round(seconds, 1),
        "versions": {"torch": torch.__version__},
    }


@torch.no_grad()
def predict(model: Any, encoded: Encoded, batch: int = 256) -> np.ndarray:
    """Logits of every pair, in the order of the pairs."""
    model.eval()
    device = next(model.parameters()).device
    order = np.argsort(encoded.lengths, kind="stable")
    logits = np.zeros((len(encoded), model.config.num_labels), dtype=np.float64)
    for start in range(0, len(order), batch):
        rows = order[start : start + batch]
        with torch.autocast("cuda", torch.bfloat16, enabled=device.type == "cuda"):
            found = model(**encoded.tensors(rows, device)).logits
        logits[rows] = found.float().cpu().numpy()
    return logits


class _Run:
    """The loop, with its state on disk."""

    CHECKPOINT, NEW = "checkpoint", "checkpoint.new"
    STATE = "run.json"
    LOG = "log.jsonl"

    def __init__(
        self,
        settings: Settings,
        accelerator: Accelerator,
        model: Any,
        encoded: Encoded,
        targets: torch.Tensor,
        out: Path,
        save_every: int,
    ) -> None:
        self.settings, self.accelerator, self.encoded, self.out = settings, accelerator, encoded, out
        self.save_every, self.step, self.seconds = save_every, 0, 0.0
        self.digest = _digest(settings, encoded, targets)
        self.total = settings.epochs * batch_count(len(encoded), settings.batch)
        decayed = [p for p in model.parameters() if p.ndim > 1]
        plain = [p for p in model.parameters() if p.ndim <= 1]
        optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": settings.weight_decay}, {"params": plain, "weight_decay": 0.0}],
            lr=settings.learning_rate,
            betas=(0.9, 0.98),
            fused=torch.cuda.is_available(),
        )
        # The wrappers of Accelerate would step a schedule once per process: this one is stepped by the loop alone.
        self.schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, self._rate)
        self.model, self.optimizer = accelerator.prepare(model, optimizer)
        accelerator.register_for_checkpointing(self.schedule)
        self.targets = targets.to(accelerator.device)
        self.log = out / self.LOG

    def _rate(self, step: int) -> float:
        warm = max(1, int(self.settings.warmup * self.total))
        return (step + 1) / warm if step < warm else max(0.0, (self.total - step) / max(1, self.total - warm))

    def go(self, progress: Progress | None) -> None:
        """All steps that are still to do."""
        self._resume()
        began, losses = time.monotonic() - self.seconds, []
        per_epoch = batch_count(len(self.encoded), self.settings.batch)
        self.model.train()
        for epoch in range(self.step // per_epoch, self.settings.epochs):
            plan = epoch_batches(self.encoded.lengths, self.settings.batch, self.settings.seed, epoch)
            for rows in plan[self.step - epoch * per_epoch :]:
                losses.append(self._learn(rows))
                self.step += 1
                if self.step % 50 == 0 or self.step == self.total:
                    loss, losses = float(torch.stack(losses).mean()), []
                    if not math.isfinite(loss):
                        raise _diverged(self.step)
                    self.seconds = time.monotonic() - began
                    self._note(epoch, loss)
                    if progress:
                        progress(self.step, self.total, loss)
                if self.step % self.save_every == 0 and self.step < self.total:
                    self._keep()

    def _learn(self, rows: np.ndarray) -> torch.Tensor:
        # Several processes share a batch: each takes every n-th of its rows (a batch smaller than that is repeated).
        count = self.accelerator.num_processes
        mine = (
            rows
            if count == 1
            else np.resize(rows, -(-len(rows) // count) * count)[self.accelerator.process_index :: count]
        )
        inputs = self.encoded.tensors(mine, self.accelerator.device)
        logits = self.model(**inputs).logits
        loss = torch.nn.functional.cross_entropy(logits.float(), self.targets[torch.from_numpy(mine)])
        self.accelerator.backward(loss)
        self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def _note(self, epoch: int, loss: float) -> None:
        if not self.accelerator.is_main_process:
            return
        line = {
            "step": self.step,
            "of": self.total,
            "epoch": epoch,
            "loss": round(loss, 5),
            "learning_rate": self.schedule.get_last_lr()[0],
            "seconds": round(self.seconds, 1),
        }
        with self.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def _keep(self) -> None:
        """Save the state beside the last one, and only then put it in its place."""
        new, kept = self.out / self.NEW, self.out / self.CHECKPOINT
        if self.accelerator.is_main_process:
            shutil.rmtree(new, ignore_errors=True)
        self.accelerator.wait_for_everyone()
        self.accelerator.save_state(str(new))
        self.accelerator.wait_for_everyone()
        if self.accelerator.is_main_process:
            files = {file.name: file.stat().st_size for file in new.iterdir()}
            state = {"step": self.step, "digest": self.digest, "seconds": self.seconds, "files": files}
            part = new / (self.STATE + ".part")
            part.write_text(json.dumps(state), encoding="utf-8")
            part.replace(new / self.STATE)
            self._put_in_place(new, kept)
        self.accelerator.wait_for_everyone()

    def _put_in_place(self, new: Path, kept: Path) -> None:
        # The state's file goes first: killed from here on, the folder without it counts as none, and `new` counts.
        (kept / self.STATE).unlink(missing_ok=True)
        shutil.rmtree(kept, ignore_errors=True)
        new.replace(kept)

    def _resume(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        new, kept = self.out / self.NEW, self.out / self.CHECKPOINT
        if self.accelerator.is_main_process and (new / self.STATE).exists() and not (kept / self.STATE).exists():
            self._put_in_place(new, kept)
        self.accelerator.wait_for_everyone()
        if (kept / self.STATE).exists():
            try:
                self._take_up(kept)
            except InputError:
                raise
            except Exception:  # whatever the reader of a damaged file stumbles over
                raise MeantError(f"The state in {kept} is damaged: delete it to begin again.") from None
        self._forget_log()

    def _take_up(self, kept: Path) -> None:
        state = json.loads((kept / self.STATE).read_text(encoding="utf-8"))
        if state["digest"] != self.digest:
            raise InputError(
                f"{self.out} holds a run with other settings or examples: name another folder, or delete it."
            )
        # Accelerate says nothing where the random states are missing or cut.
        for name, size in state.get("files", {}).items():
            if (kept / name).stat().st_size != size:
                raise ValueError(name)
        self.accelerator.load_state(str(kept))
        self.step, self.seconds = int(state["step"]), float(state["seconds"])

    def _forget_log(self) -> None:
        """Drop what a killed run logged after the step that it resumes from."""
        if self.accelerator.is_main_process and self.log.exists():
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
            kept = [line for line in lines if (found := entry(line)) and found["step"] <= self.step]
            self.log.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
