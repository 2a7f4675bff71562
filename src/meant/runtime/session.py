"""Session: one ONNX Runtime session, shared by all threads.

A run works on one thread: several rows are read at once by calling `run` from several threads (see `batching`). So the
session has no thread pool of its own, nothing spins while nothing is asked, and a process may fork after loading.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

from ..errors import InputError, MeantError, reason_of

INPUTS = ("input_ids", "attention_mask", "token_type_ids")

onnxruntime.disable_telemetry_events()
onnxruntime.set_default_logger_severity(4)


def available_cores() -> int:
    """The cores this process may use: its affinity, and the share that its container was given."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        cores = min(cores, -(-int(quota) // int(period)))
    except (OSError, ValueError):  # not a container, or one without a limit ("max")
        pass
    return max(cores, 1)


class Session:
    """A model that takes token arrays and gives logits."""

    def __init__(self, model: bytes, name: str = "model.onnx") -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        options.use_deterministic_compute = True
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception:  # the runtime raises a dozen kinds of its own for a broken graph
            raise InputError(
                f"{name} is not a model that this ONNX Runtime ({onnxruntime.__version__}) can run: "
                "export the bundle again or upgrade onnxruntime."
            ) from None
        self.inputs = tuple(node.name for node in self._session.get_inputs())
        self._widths = {node.name: node.shape[-1] for node in self._session.get_outputs() if node.shape}
        if unknown := set(self.inputs) - set(INPUTS):
            raise InputError(f"{name} asks for an input {min(unknown)!r}, which no tokenizer gives: export it again.")

    def check(self, output: str, width: int) -> None:
        """A sentence where the graph has no such output, or one of another width."""
        if output not in self._widths:
            raise InputError(f"The model has no output {output!r}: export the bundle again.")
        found = self._widths[output]
        if isinstance(found, int) and found != width:
            raise InputError(f"The model's output {output!r} has {found} labels, bundle.json {width}: export it again.")

    def run(self, output: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """The output's logits for those token arrays (rows by tokens)."""
        try:
            (logits,) = self._session.run([output], {name: arrays[name] for name in self.inputs})
        except Exception as error:
            raise MeantError(f"The model failed on a row ({reason_of(error)}): try another bundle.") from None
        return np.asarray(logits)
