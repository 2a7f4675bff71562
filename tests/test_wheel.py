"""The wheel, as somebody else gets it: built, installed where nothing else is, and used from another folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "meant"

_UNREACHABLE = re.compile(r"NewConnectionError|Max retries exceeded|name resolution|timed out")


def clean_environment() -> dict[str, str]:
    """Ours without what would lead a fresh environment back to this checkout."""
    ours = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "MEANT_BUNDLE", "MEANT_DATA"}
    return {name: value for name, value in os.environ.items() if name not in ours}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = out.glob("meant-*-py3-none-any.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment with the wheel and what it requires, and no more."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(scripts / "python"), "-m", "pip", "install", "--retries", "1", "--prefer-binary"]
    command = [*pip, "--constraint", str(ROOT / "constraints.txt"), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), timeout=300)
    if done.returncode and _UNREACHABLE.search(done.stdout + done.stderr):
        pytest.skip("no package index can be reached, and a fresh environment needs one")
    assert done.returncode == 0, done.stdout + done.stderr
    return scripts


def test_every_file_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    ours = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == ours


def test_what_is_no_code_is_in_it_too(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel).namelist()
    for name in (
        "bundles/default/bundle.json",
        "bundles/default/model.onnx",
        "bundles/default/tokenizer.json",
        "bench/cases/direct.tsv",
        "bench/cases/twins.tsv",
        "making/direct.tsv",
        "making/twins.tsv",
        "making/wordings.toml",
        "py.typed",
    ):
        assert f"meant/{name}" in packed
    assert sum(name.endswith(("/licenses/LICENSE", "/licenses/NOTICE")) for name in packed) == 2


def test_the_installed_command_reads_the_readmes_reply(installed: Path, tmp_path: Path) -> None:
    first = re.findall(r"^```bash\n(.*)\n```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
    arguments = shlex.split(first.split("&&")[-1])
    assert arguments[0] == ".venv/bin/meant"
    command = [str(installed / "meant"), *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=clean_environment(), timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("no  (")
    assert done.stderr == ""


def test_reading_needs_no_torch_and_no_statistics(installed: Path, tmp_path: Path) -> None:
    absent = ("torch", "transformers", "accelerate", "sklearn", "scipy", "pandas", "matplotlib", "pyarrow")
    code = f"from importlib.util import find_spec; print([name for name in {absent} if find_spec(name)])"
    done = _python(installed, tmp_path, code)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_written_cases_and_the_recipes_are_found_where_they_were_installed(installed: Path, tmp_path: Path) -> None:
    code = (
        "import meant\n"
        "from meant.bench import written\n"
        "from meant.making.direct import every_wording\n"
        "print(len(written.direct('test')) > 0, len(written.twins('test')) > 0, len(every_wording()) > 0)\n"
        "print(meant.__file__)\n"
    )
    done = _python(installed, tmp_path, code)
    assert done.stdout.splitlines()[:1] == ["True True True"], done.stderr
    assert str(ROOT) not in done.stdout


def _python(installed: Path, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    command = [str(installed / "python"), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=clean_environment(), timeout=60)
