"""meant: understand what people mean when they don't say it.

from meant import Interpreter
Interpreter().read([("Want to get some dinner together?", "I'd rather just go to bed.")])
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import InputError, MeantError
    from .interpreter import Interpreter
    from .reading import Reading

# Nothing is sent anywhere: ONNX Runtime gathers what it would report from its import on, unless it is told before.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__version__ = "0.1.0"
__all__ = ["InputError", "Interpreter", "MeantError", "Reading", "__version__"]

# The names come from their modules when they are first asked for, so that `import meant` loads no model runtime.
_HOMES = {
    "InputError": "errors",
    "Interpreter": "interpreter",
    "MeantError": "errors",
    "Reading": "reading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'meant' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
