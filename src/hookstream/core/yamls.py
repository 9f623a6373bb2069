"""YAML that clients write: small documents of settings, and the front matter of a text."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FRONT_MATTER = re.compile(rb"(?sm)(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$")


def mapping(data: bytes) -> dict[str, Any]:
    """The mapping that a document is; empty for any other value. Raises ValueError."""
    try:
        import yaml
    except ImportError:
        raise ValueError("this bundle reads no YAML") from None
    try:
        value = yaml.safe_load(data)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise ValueError("no YAML that can be read") from None
    return value if isinstance(value, dict) else {}


def front_matter(data: bytes) -> dict[str, Any]:
    """The mapping before a text, between two lines of dashes. Raises ValueError."""
    match = FRONT_MATTER.match(data)
    return {} if match is None else mapping(match[1])
