"""`hookstream bundle FILE.pyz`: writes the bundle. The same sources give the same bytes."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path

from hookstream.bundle.contents import files
from hookstream.capture.install import atomic
from hookstream.capture.install.manifest import MANIFEST, BundleManifest
from hookstream.core.errors import HookstreamError

SHEBANG = b"#!/usr/bin/env python3\n"
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
