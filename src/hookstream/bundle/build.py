"""`hookstream bundle FILE.pyz`: writes the bundle. The same sources give the same bytes.

A bundle holds the modules that its programs reach by an import, at any level.
"""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from hookstream.capture.install import atomic
from hookstream.capture.install.manifest import MANIFEST, BundleManifest
from hookstream.core.errors import HookstreamError

# These choose modules by name at run time, so a bundle holds them completely.
WHOLE = tuple(f"hookstream.{room}" for room in ("bundle", "capture", "normalizers", "redaction"))
# The sink of the shipper, which is chosen by its URI.
CHOSEN = ("hookstream.sinks.hookstream",)
# Not for laptops: what reads lakes, and the command line on typer.
LEFT_OUT = frozenset(
    "api cli delivery.backfill delivery.batch delivery.parallel delivery.run integrations "
    "lake.arrow lake.rows queries rules seal sinks.tables spark tables ui".split()
)
# Files other than modules that are read at run time.
DATA = (".js", ".json")
# As a program it starts Python isolated: nothing of the environment runs before the bundle.
SHEBANG = b'#!/bin/sh\nexec python3 -ISB "$0" "$@"\n'
# The package's face needs libraries that a bundle does without.
FACE = b'"""hookstream, its capture side: see docs/bundle.md."""\n\n' + (
    b"from hookstream.version import __version__ as __version__\n"
)
# The oldest time that a zip file can say.
THEN = (1980, 1, 1, 0, 0, 0)


def build(file: Path, package: Path | None = None) -> BundleManifest:
    """Write a bundle of the package in a folder (None: this one); return its manifest. Raises
    HookstreamError if the file cannot be written."""
    package = package or Path(__file__).resolve().parents[1]
    held = {name: path.read_bytes() for name, path in files(package).items()}
    held["hookstream/__init__.py"] = FACE
    held["hookstream/version.py"] = (package / "version.py").read_bytes()
    held["__main__.py"] = (package / "bundle/start.py").read_bytes()
    digests = {name: sha256(data).hexdigest() for name, data in sorted(held.items())}
    manifest = BundleManifest(_version(held["hookstream/version.py"]), digests)
    held[MANIFEST] = json.dumps(manifest.plain(), indent=1).encode() + b"\n"
    if file.is_dir():
        raise HookstreamError(f"{file} is a folder: name the file, such as hookstream.pyz")
    atomic.make_folders(file.absolute().parent)
    atomic.replace(file.absolute(), _zipped(held), 0o755)
    return manifest


def _zipped(held: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    out.write(SHEBANG)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(held.items()):
            entry = zipfile.ZipInfo(name, THEN)
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def _version(source: bytes) -> str:
    names: dict[str, object] = {}
    exec(compile(source, "version.py", "exec"), names)  # noqa: S102  our own source
    return str(names["__version__"])


def modules(package: Path) -> dict[str, Path]:
    """Name -> file of each module of a bundle, sorted; `package` is the folder of hookstream."""
    sources = {_name(path, package): path for path in package.rglob("*.py")}
    names = {name for name in sources if name.startswith(WHOLE) or name in CHOSEN}
    todo = sorted(names)
    while todo:
        for name in _reached(sources, todo.pop()) - names:
            names.add(name)
            todo.append(name)
    return {name: sources[name] for name in sorted(names)}


def files(package: Path) -> dict[str, Path]:
    """Path in a bundle -> file: the modules, and the data next to them."""
    rooms = [package / name.partition(".")[2] for name in WHOLE]
    data = [path for room in rooms for path in room.rglob("*") if path.suffix in DATA]
    chosen = sorted({*modules(package).values(), *data})
    return {f"hookstream/{path.relative_to(package).as_posix()}": path for path in chosen}


def imports(path: Path) -> Iterator[str]:
    """Every name a module imports, inside functions too, but not what is for type checkers."""
    tree = ast.parse(path.read_bytes())
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for part in node.body
        for inner in ast.walk(part)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_left_out(name: str) -> bool:
    """Return whether a module belongs to a part that is not for laptops."""
    _, room, module = f"{name}..".split(".")[:3]
    return room in LEFT_OUT or f"{room}.{module}" in LEFT_OUT


def _reached(sources: dict[str, Path], module: str) -> set[str]:
    """The modules that a module imports, with the packages they are in."""
    names = set()
    for name in imports(sources[module]):
        parts = name.split(".")
        if parts[0] == "hookstream" and len(parts) > 1 and not is_left_out(name):
            names |= {".".join(parts[:end]) for end in range(2, len(parts) + 1)}
    return names & sources.keys()


def _name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
