"""Own and shipped rules in one list, with level and status after tuning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from hookstream.rules.compile import Compiled, named
from hookstream.rules.load import cases_of, load, pack, usual_places
from hookstream.rules.tuning import Tuning, load_tuning


@dataclass(frozen=True)
class ListedRule:
    """`level` and `status` (on, off) are those after tuning; `origin` is own or shipped;
    `has_cases` says that a file of cases is next to the rule's."""

    rule: Compiled
    level: str
    status: str
    origin: str
    has_cases: bool

    COLUMNS: ClassVar = tuple(
        "rule level title origin status has_cases tags atlas owasp clients rule_id".split()
    )

    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS."""
        one = self.rule
        lists = (list(values) for values in (one.tags, one.atlas, one.owasp, one.clients))
        return (
            one.name, self.level, one.title, self.origin, self.status, self.has_cases, *lists,
            one.id,
        )  # fmt: skip


def listed(rules: Iterable[Compiled], tuning: Tuning) -> list[ListedRule]:
    """List rules as they are, in their order."""
    ours = pack()
    made = []
    for one in rules:
        level = tuning.level_of(one)
        file = Path(one.file)
        made.append(
            ListedRule(
                one,
                one.level if level == "off" else level,
                "off" if level == "off" else "on",
                "shipped" if file.is_relative_to(ours) else "own",
                cases_of(file).is_file(),
            )
        )
    return made


def list_files(places: Sequence[Path], tuning: Path | None = None) -> list[ListedRule]:
    """List the rules of some files and folders (empty: the shipped pack) without a lake."""
    rules = load(places or usual_places())
    return listed(named(rules), load_tuning(tuning, rules.rules) if tuning else Tuning())
