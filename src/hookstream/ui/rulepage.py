"""The rules that the pages ask: own and shipped in one list, and each with its Sigma source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError

if TYPE_CHECKING:
    from hookstream.rules.listing import ListedRule
    from hookstream.rules.tuning import DetectOptions


@dataclass(frozen=True)
class RuleSource:
    """A rule with the text of its file and of its cases; `tags` are of ATT&CK, ATLAS and OWASP."""

    listed: ListedRule
    source: str
    cases: str

    @property
    def tags(self) -> tuple[str, ...]:
        one = self.listed.rule
        return (*one.tags, *one.atlas, *one.owasp)


class RuleBook:
    """The rules of the files and folders that are asked, read when they are first needed. Raises
    RuleError where one of them is wrong."""

    def __init__(self, asked: DetectOptions) -> None:
        self.asked = asked

    @property
    def places(self) -> tuple[Path, ...]:
        """The files and folders that hold rules: a folder of one's own may be empty yet."""
        from hookstream.rules.load import holding, usual_places

        return holding(self.asked.rules or usual_places())

    @cached_property
    def rules(self) -> list[ListedRule]:
        """Every rule that reports: own ones first, then by title."""
        from hookstream.rules.listing import list_files

        places = self.places
        every = list_files(places, self.asked.tuning) if places else []
        return sorted(every, key=lambda one: (one.origin != "own", one.rule.title))

    @cached_property
    def unasked(self) -> list[ListedRule]:
        """The shipped rules, where the pages were started without them."""
        from hookstream.rules.listing import list_files

        if any(one.origin == "shipped" for one in self.rules):
            return []
        return sorted(list_files(()), key=lambda one: one.rule.title)

    def changed(self) -> None:
        """Read the rules again: a file has been written."""
        for name in ("rules", "unasked"):
            self.__dict__.pop(name, None)

    def called(self, name: str) -> RuleSource | None:
        """The rule of a name, or of the stem of its file; None if it does not exist."""
        for one in (*self.rules, *self.unasked):
            if name in (one.rule.name, one.rule.stem):
                from hookstream.rules.load import cases_of

                file = Path(one.rule.file)
                cases = text_of(cases_of(file)) if one.has_cases else ""
                return RuleSource(one, text_of(file), cases)
        return None


def text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise HookstreamError(f"{file}: {reason}") from None
