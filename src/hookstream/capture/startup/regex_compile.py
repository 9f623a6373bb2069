"""The program of a pattern, as the engine of `re` takes it. Loaded if a snapshot lacks one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def make_program(pattern: Any, flags: int) -> tuple[Any, ...] | None:
    """(the engine's magic, then the arguments of `_sre.compile`), or None if this Python compiles
    patterns in another way. Raises re.error for an invalid pattern."""
    try:
        import _sre  # type: ignore[import-not-found]
        from array import array
        from re import _compiler, _parser  # type: ignore[attr-defined]

        tree = _parser.parse(pattern, flags)
        code = array("I", _compiler._code(tree, flags)).tobytes()
        state = tree.state
        by_index: list[str | None] = [None] * state.groups
        for name, index in state.groupdict.items():
            by_index[index] = name
        groups = state.groups - 1
    except (ImportError, AttributeError, OverflowError, TypeError):
        return None
    names = dict(state.groupdict)
    return (_sre.MAGIC, flags | state.flags, code, groups, names, tuple(by_index))
