"""Which leaves of two inputs differ: what a guardian changed, by path."""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.jsons import JsonObject, canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Leaves = dict[str, str]

# Leaves that are compared, how deep they may be, and paths that are named.
LEAVES, DEPTH, PATHS = 512, 16, 32
# Facts that may be a list of memories, each with its digest where the text is not kept, up to so
# many.
MEMORY, REWRITTEN = MEMORIES = ("memory", "rewritten")
ENTRIES = 64


def leaves_of(value: Any) -> Leaves:
    """path -> digest of each leaf of a JSON value, such as `edits[0].text`."""
    leaves: Leaves = {}
    _walk(value, "", leaves, DEPTH)
    return leaves


def _walk(value: Any, path: str, found: Leaves, depth: int) -> None:
    if len(found) >= LEAVES:
        return
    if type(value) is dict and value and depth:
        for key, below in value.items():
            _walk(below, f"{path}.{key}" if path else str(key), found, depth - 1)
    elif type(value) is list and value and depth:
        for at, below in enumerate(value):
            _walk(below, f"{path}[{at}]", found, depth - 1)
    else:
        found[path] = digest_of(value)


def entries_of(facts: JsonObject, native: JsonObject | None, name: str) -> Leaves:
    """path -> digest of each of a list of memories, or the digest that is left of it."""
    digests = (native or {}).get(f"{name}_entries")
    if type(facts.get(name)) is list:
        digests = [digest_of(entry) for entry in facts[name]]
    if type(digests) is not list or len(digests) > ENTRIES:
        return {}
    return {f"{MEMORY}[{at}]": str(entry) for at, entry in enumerate(digests)}


def differing(original: Leaves, modified: Leaves) -> list[str]:
    """The paths that only one of two values has, or that hold something else."""
    paths = sorted({*original, *modified})
    return [path for path in paths if original.get(path) != modified.get(path)]


def named(paths: list[str]) -> str:
    """The paths as one text, of bounded length."""
    text = ", ".join(paths[:PATHS])
    return f"{text}, and {len(paths) - PATHS} more" if len(paths) > PATHS else text


def changed_paths(original: Any, modified: Any) -> str:
    return named(differing(leaves_of(original), leaves_of(modified)))


def arguments_of(value: JsonObject) -> Leaves:
    """name -> digest of each argument of an input."""
    return {name: digest_of(below) for name, below in value.items()}


def merged(current: JsonObject, original: Leaves, modified: JsonObject) -> JsonObject:
    """`current` with what `modified` makes of an input with these arguments: several guardians
    change one input, each knows the original, and what a later one changes holds."""
    result = {
        key: value for key, value in current.items() if key in modified or key not in original
    }
    for key, value in modified.items():
        if original.get(key) != digest_of(value):
            result[key] = value
    return result


def digest_of(value: Any) -> str:
    """A short digest of a JSON value, to compare it with others by."""
    return sha256(canonical(value)).hexdigest()[:16]
