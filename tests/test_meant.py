"""The package's public face."""

from __future__ import annotations

import subprocess
import sys

import pytest

import meant


def test_these_names_and_no_others_are_public() -> None:
    assert sorted(meant.__all__) == ["InputError", "Interpreter", "MeantError", "Reading", "__version__"]
    assert dir(meant) == sorted(meant.__all__)
    assert all(getattr(meant, name) is not None for name in meant.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Interpeter'"):
        _ = meant.Interpeter  # type: ignore[attr-defined]


def test_importing_loads_no_model_runtime(environment: dict[str, str]) -> None:
    code = "import sys, meant; print([m for m in ('numpy', 'onnxruntime', 'tokenizers', 'typer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=True)
    assert done.stdout.strip() == b"[]"


def test_an_input_error_is_a_meant_error_and_a_value_error() -> None:
    assert issubclass(meant.InputError, meant.MeantError)
    assert issubclass(meant.InputError, ValueError)
    assert (meant.MeantError.code, meant.InputError.code) == (1, 2)
