"""The manifest of a bundle: its version, and the SHA-256 of each file in it."""

from __future__ import annotations

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError

MANIFEST = "bundle.json"


class BundleManifest:
    """`files` is path -> SHA-256 in hex; `name` identifies a bundle and is a folder's name."""

    def __init__(self, version: str, files: dict[str, str]) -> None:
        self.version = version
        self.files = files

    @property
    def digest(self) -> str:
        """SHA-256 over names and digests of the files: the same for the same contents."""
        lines = "".join(f"{self.files[name]}  {name}\n" for name in sorted(self.files))
        return sha256(lines.encode()).hexdigest()

    @property
    def name(self) -> str:
        return f"{self.version}-{self.digest[:12]}"

    def plain(self) -> dict[str, Any]:
        return {"version": self.version, "digest": self.digest, "files": self.files}


def parsed(data: bytes) -> BundleManifest:
    """A manifest from its file. Raises HookstreamError for one that is damaged."""
    try:
        value = json.loads(data)
        manifest = BundleManifest(
            str(value["version"]), {k: str(v) for k, v in value["files"].items()}
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise HookstreamError("the bundle is damaged: get it again") from None
    is_plain = all(_is_plain(name) for name in manifest.files)
    if value.get("digest") != manifest.digest or not is_plain or not _is_plain(manifest.name):
        raise HookstreamError("the bundle is damaged: get it again")
    return manifest


def _is_plain(name: str) -> bool:
    """Return whether a path stays inside the folder it is joined to."""
    parts = name.split("/")
    return not name.startswith("/") and "\\" not in name and not {"", ".", ".."} & set(parts)


def own() -> tuple[Path, BundleManifest] | None:
    """The bundle that this program runs from, file or folder, and its manifest; None for a package
    that was installed in another way."""
    root = Path(__file__.replace("\\", "/").removesuffix("/hookstream/capture/install/manifest.py"))
    loader = globals().get("__loader__")
    try:
        data = loader.get_data(os.path.join(root, MANIFEST))  # type: ignore[union-attr]
    except (OSError, AttributeError):
        return None
    return root, parsed(data)


def base_interpreter() -> str:
    """The interpreter, without the virtual environment it may have been called from: a bundle needs
    no packages, and environments come and go."""
    return getattr(sys, "_base_executable", None) or sys.executable
