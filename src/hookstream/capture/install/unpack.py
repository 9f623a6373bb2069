"""The folder of an installed bundle's code, and how it is unpacked.

Hooks that run from a zip file start slowly (docs/decisions/0015-bundle.md), so `install` unpacks:
into `lib/VERSION-DIGEST` next to the launchers, a folder that only its owner can write. The
launcher names it; nothing in a hook's environment does. A version in use stays next to the new one
until the next upgrade: a hook or collector that is running continues to load from it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import zipfile
from hashlib import sha256
from pathlib import Path

from hookstream.capture.install import atomic, launcher
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.manifest import MANIFEST, BundleManifest, parsed
from hookstream.core.errors import HookstreamError

LIB = "lib"


def unpack(bundle: Path, manifest: BundleManifest, managed: bool = False) -> Path:
    """The folder with the bundle's code, unpacked if it is not there whole. Raises
    HookstreamError."""
    base = launcher.folder(managed)
    lib = base / LIB
    for folder in atomic.make_folders(lib):
        folder.chmod(0o755)  # hooks of every user read what root has installed
    for folder in (base, lib):
        _refuse_foreign(folder)
    target = lib / manifest.name
    if os.path.lexists(target):
        if is_whole(target, manifest):
            return target
        _remove(target)
    draft = lib / f".{manifest.name}.{secrets.token_hex(4)}"
    try:
        _write(bundle, manifest, draft)
        draft.rename(target)
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise FileRefused(f"{target}: {getattr(error, 'strerror', None) or error}") from None
    finally:
        if draft.exists():
            _remove(draft)
    atomic.sync_folder(lib)
    return target


def is_whole(folder: Path, manifest: BundleManifest) -> bool:
    """Return whether a folder is this bundle unpacked: ours, nothing missing, nothing altered."""
    try:
        if parsed((folder / MANIFEST).read_bytes()).digest != manifest.digest:
            return False
        _refuse_foreign(folder)
        return all(
            sha256((folder / name).read_bytes()).hexdigest() == digest
            for name, digest in manifest.files.items()
        )
    except (OSError, HookstreamError):
        return False


def installed(managed: bool = False) -> list[Path]:
    """The folders of unpacked bundles."""
    lib = launcher.folder(managed) / LIB
    return sorted(path.parent for path in lib.glob(f"*/{MANIFEST}"))


def in_use(managed: bool = False) -> Path | None:
    """The unpacked bundle that the hook launcher names, None where it names none."""
    script = atomic.read(Path(launcher.path("hook", managed))) or b""
    named = [path for path in installed(managed) if os.fsencode(path) in script]
    return named[0] if named else None


def prune(keep: list[Path], managed: bool = False) -> None:
    """Remove every unpacked bundle but these, and drafts that an interrupted install left."""
    lib = launcher.folder(managed) / LIB
    for path in (*installed(managed), *lib.glob(".*")):
        if path not in keep:
            _remove(path)
    with contextlib.suppress(OSError):
        lib.rmdir()


def _write(bundle: Path, manifest: BundleManifest, folder: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        for name in (*manifest.files, MANIFEST):
            data = archive.read(name)
            if name != MANIFEST and sha256(data).hexdigest() != manifest.files[name]:
                raise FileRefused(f"{bundle}: {name} is damaged: get the bundle again")
            file = folder / name
            for made in atomic.make_folders(file.parent):
                made.chmod(0o755)
            with open(file, "xb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            file.chmod(0o644)


def _refuse_foreign(folder: Path) -> None:
    """Code is not loaded from what another user could have put there."""
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode):
        raise FileRefused(f"{folder}: is not a folder")
    if os.name == "nt":
        return
    if info.st_uid not in (os.geteuid(), 0) or info.st_mode & 0o022:
        raise FileRefused(f"{folder}: others can write it, so no code is put there (chmod go-w)")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
