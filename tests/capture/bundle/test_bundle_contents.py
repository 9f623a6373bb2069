"""What is in a bundle: enough, nothing that a laptop lacks, and not much."""

import subprocess
import sys
import zipfile
from functools import cache

import pytest
from laptops import PYTHON, SOURCES

from hookstream.bundle.build import LEFT_OUT, build, imports, is_left_out, modules
from hookstream.bundle.options import parser
from hookstream.cli.app import MODULES, commands_of

pytestmark = pytest.mark.long

# Taken where they are installed; a test below runs without each.
OPTIONAL = {"orjson", "hyperscan", "re2", "google", "grpc", "cryptography"} | {
    "_sha2"
}  # Python 3.12
OPTIONAL |= {"prometheus_client", "opentelemetry", "cloudevents", "tree_sitter", "tree_sitter_bash"}
OPTIONAL |= {"yaml"}  # front matter of agents: status says that it reads none
# Where no capture comes: session files and .zst, read by `run` and `backfill`.
READERS = {"hookstream.normalizers.openclaw.transcript", "hookstream.core.sources"}
# Arrow, for engines that hand over batches: a shipper keeps lines as they are.
READERS |= {"hookstream.pipeline.state"}
LOAD_ALL = """
import importlib, sys
sys.path.insert(0, {bundle!r})
for name in {names!r}:
    importlib.import_module(name)
tops = {{name.partition(".")[0] for name in sys.modules}}
print(sorted(tops - sys.stdlib_module_names - {{"__main__", "hookstream"}}))
"""


@cache
def held():
    return modules(SOURCES)


def test_it_is_small(bundle):
    assert bundle.stat().st_size < 3_000_000


def test_the_same_sources_give_the_same_bytes(bundle, tmp_path):
    build(tmp_path / "again.pyz")
    assert (tmp_path / "again.pyz").read_bytes() == bundle.read_bytes()


def test_every_import_is_of_the_standard_library_or_in_the_bundle():
    for name, path in held().items():
        for wanted in imports(path):
            top, *rest = wanted.split(".")
            if name in READERS:
                continue
            if top == "hookstream" and rest:
                assert not is_left_out(wanted), f"{name} imports {wanted}"
            elif top != "hookstream":
                assert top in sys.stdlib_module_names | OPTIONAL, f"{name} imports {wanted}"


def test_every_module_loads_from_the_zip_without_site_packages(bundle):
    names = [name for name in held() if not name.endswith("hyperscan_engine")]
    code = LOAD_ALL.format(bundle=str(bundle), names=names)
    words = [PYTHON, "-I", "-S", "-B", "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_nothing_of_the_analysts_tools_is_in_it(bundle):
    rooms = {name.split(".")[1] for name in held() if name != "hookstream"}
    assert not rooms & LEFT_OUT
    assert {"capture", "normalizers", "redaction", "otlp", "standards"} <= rooms
    names = zipfile.ZipFile(bundle).namelist()
    assert {"__main__.py", "bundle.json", "hookstream/capture/plugins/bridge.js"} <= {*names}


def test_its_options_are_the_command_lines():
    """With the same defaults: a script that works with one works with the other."""
    (own,) = (action for action in parser()._actions if action.dest == "command")
    for name in set(own.choices) - {"hook", "wrap", "ship"}:
        command = commands_of(MODULES[name])[name]
        theirs = {w: one for one in command.params for w in (*one.opts, *one.secondary_opts)}
        for action in own.choices[name]._actions:
            for word in set(action.option_strings) - {"-h", "--help"}:
                assert word in theirs, f"{name} {word}"
                assert action.default == theirs[word].default, f"{name} {word}"


def test_it_writes_over_a_bundle_and_not_over_a_folder(tmp_path):
    words = [sys.executable, "-m", "hookstream", "bundle", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"hookstream: {tmp_path} is a folder: name the file, such as hookstream.pyz\n"
    )
