"""One shipped rule for its page: what it means, its Sigma source and the SQL it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hookstream.rules.load import pack


@dataclass(frozen=True)
class Shipped:
    """`source` is the text of its file; `tags` are of ATT&CK, ATLAS and OWASP."""

    name: str
    title: str
    level: str
    description: str
    falsepositives: tuple[str, ...]
    clients: tuple[str, ...]
    tags: tuple[str, ...]
    source: str


@cache
def shipped() -> dict[str, Shipped]:
    """Every shipped rule that reports, by its name and the stem of its file."""
    from hookstream.rules.compile import named
    from hookstream.rules.load import load

    made = {}
    for one in named(load((pack(),))):
        source = (pack() / f"{one.stem}.yml").read_text("utf-8")
        made[one.name] = made[one.stem] = Shipped(
            one.name, one.title, one.level, one.description, one.falsepositives, one.clients,
            (*one.tags, *one.atlas, *one.owasp), source,
        )  # fmt: skip
    return made


def rule_called(name: str) -> Shipped | None:
    """The shipped rule of a name; None if it does not exist."""
    return shipped().get(name)
