"""The keys of pseudonyms and of digests, for the hook, a wrap and the collector.

A key that cannot be used costs no event: a key of this run alone replaces it. Pseudonyms and
digests made with that match no others, and `hookstream status` says so.
"""

from __future__ import annotations

import os

from hookstream.core.errors import HookstreamError
from hookstream.core.folders import full_path, pseudonym_key_file
from hookstream.redaction.keys import KEY_BYTES, load_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.capture.settings import CaptureSettings


class Keys:
    """`digest` is None if digests need no key; `problems` are for `hookstream status`."""

    def __init__(self, settings: CaptureSettings) -> None:
        self.problems: list[str] = []
        shared = settings.shared_keys
        fleet, named = settings.pseudonym_key_file, settings.hash_key_file
        if fleet:
            self.pseudonym = self._load(
                "pseudonym key", lambda: load_key(full_path(fleet), shared="pseudonym" in shared)
            )
        else:
            self.pseudonym = self._load(
                "pseudonym key", lambda: load_key(pseudonym_key_file(), create=True)
            )
        self.digest: bytes | None = None
        if named:
            self.digest = self._load(
                "digest key", lambda: load_key(full_path(named), shared="digest" in shared)
            )

    def _load(self, what: str, load: Callable[[], bytes]) -> bytes:
        try:
            return load()
        except HookstreamError as error:
            self.problems.append(f"{what}: {str(error).rpartition(': ')[2]}")
        except (OSError, ValueError) as error:
            self.problems.append(f"{what}: {type(error).__name__}")
        return os.urandom(KEY_BYTES)
