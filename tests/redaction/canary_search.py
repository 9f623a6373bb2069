"""Finds what is left of a secret in bytes: as it is, respelt, escaped, in base64, in hex, cut."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path
from typing import Any

WINDOW = 12  # characters in a row that count as a leak; a shorter secret counts as a whole
# Small letters for capitals; what is no letter and no digit goes: a slug's dashes, escapes, quotes.
SMALL = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in range(256))
NO_WORD = bytes(byte for byte in range(256) if not chr(byte).isalnum() or byte > 127)


def plain(data: bytes) -> bytes:
    return data.translate(SMALL, NO_WORD)


class Pattern:
    """Every run of `window` characters of a text, looked for by few pieces: each such run holds one
    of those that begin at every `stride`-th character."""

    def __init__(self, text: bytes, window: int) -> None:
        size = min(window, len(text))
        stride = max(1, size // 2)
        piece = size - stride + 1
        self.pieces = {text[at : at + piece] for at in range(0, len(text) - piece + 1, stride)}
        self.windows = {text[at : at + size] for at in range(len(text) - size + 1)}

    def first(self, data: bytes) -> bytes | None:
        for piece in self.pieces:
            if piece in data:
                for window in self.windows:
                    if window in data:
                        return window
        return None


class Search:
    """One kind's secret. `planted` is how it stands in the payload, `secret` what may not leak."""

    def __init__(self, planted: str, secret: str) -> None:
        raw, inner = planted.encode(), secret.encode()
        at = raw.index(inner)
        self.raw = Pattern(inner, WINDOW)
        self.spelt = [Pattern(plain(inner), WINDOW)]
        self.encoded = [Pattern(plain(inner.hex().encode()), 2 * WINDOW + 2)]
        for shift in range(3):  # base64 has three ways to cut a text
            whole = base64.b64encode(b"\0" * shift + raw)
            first, last = -(-(shift + at) * 8 // 6), (shift + at + len(inner)) * 8 // 6
            self.encoded.append(Pattern(plain(whole[first:last]), 18))

    def leak(self, data: bytes, encoded: bool = True) -> str | None:
        """What is left of the secret, with what stands around it; None where nothing is."""
        found = self.raw.first(data)
        if found is not None:
            return around(data, found.decode())
        small = plain(data)
        for pattern in self.spelt + (self.encoded if encoded else []):
            found = pattern.first(small)
            if found is not None:
                return around(data, found.decode())
        return None


def around(data: bytes, found: str, reach: int = 160) -> str:
    """The place of a respelt text in the data as it stands there."""
    spelt = re.search("[^a-z0-9]{0,8}".join(map(re.escape, found)).encode(), data, re.IGNORECASE)
    if spelt is None:
        return found
    return data[max(0, spelt.start() - reach) : spelt.end() + reach].decode("utf-8", "replace")


def opened(path: Path) -> list[bytes]:
    """A file's bytes, and what they hold once they are decompressed or decoded."""
    data = path.read_bytes()
    found = [data]
    if path.suffix == ".parquet":
        found.append(columns(path))
    elif data[:2] == b"\x1f\x8b":
        found.append(gzip.decompress(data))
    elif data[:4] == b"\x28\xb5\x2f\xfd":
        import pyarrow as pa

        with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as stream:
            found.append(stream.read())
    return found


def columns(path: Path) -> bytes:
    """All texts of a Parquet file, column by column, those in lists and structs too."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    found: list[str] = []
    left = [one.combine_chunks() for one in parquet.ParquetFile(path).read().columns]
    while left:
        column = left.pop()
        kind = column.type
        if pa.types.is_dictionary(kind):
            column, kind = column.cast(kind.value_type), kind.value_type
        if pa.types.is_struct(kind):
            left += column.flatten()
        elif pa.types.is_list(kind):
            left.append(column.flatten())
        elif pa.types.is_string(kind):
            found += [text for text in column.to_pylist() if text]
    return "\n".join(found).encode()


def everything(value: Any) -> str:
    """All that an object with slots holds: what no rendering can go beyond."""
    return repr([getattr(value, name) for name in value.__slots__])
