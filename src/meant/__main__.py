"""`python -m meant` is `meant`: the way in, which keeps an interruption during start-up from ending in a traceback."""

from __future__ import annotations

import sys
from typing import NoReturn

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C has ended


def main() -> NoReturn:
    """Load the commands and run one."""
    try:
        from .cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except ImportError as error:  # what compiled modules make of an interruption while they are loaded
        if not _interrupted(error):
            raise
        sys.exit(INTERRUPTED)


def _interrupted(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


if __name__ == "__main__":
    main()
