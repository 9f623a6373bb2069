"""Rule files to rules: bounded, checked, errors with file and line."""

from __future__ import annotations

import re
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.folders import config_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sigma.collection import SigmaCollection


class RuleError(HookstreamError):
    """A rule, a rule file or the tuning file cannot be used; the text is `FILE:LINE: reason`."""


class RuleErrors(RuleError):
    """Several errors at once: the text is one line per error, at most MOST of them."""

    MOST = 20

    def __init__(self, errors: list[RuleError]) -> None:
        lines = [str(error) for error in errors[: self.MOST]]
        if len(errors) > self.MOST:
            lines.append(f"and {len(errors) - self.MOST} more")
        super().__init__("\n".join(lines))
        self.errors = errors


# Lines and commas of a file: what YAML reads one by one. Values of a rule's detection, words of
# its conditions, and both multiplied: a condition may name a selection often.
MOST_ITEMS, MOST_VALUES, MOST_WORDS, MOST_TESTS = 20_000, 2_000, 500, 20_000
# What a rule has one of, and what a correlation may hold.
KINDS = ("detection", "correlation", "filter")
CORRELATION = frozenset("type rules generate timespan group-by aliases condition".split())
# Rules that one correlation refers to.
MOST_RULES = 100
# Seconds in which all rules of a run have to be compiled.
COMPILE_S = 30.0


def too_much(document: dict[str, Any]) -> tuple[str, str] | None:
    """The key that is too large and the reason, None if the rule is within the bounds."""
    correlation = document.get("correlation")
    rules = correlation.get("rules") if isinstance(correlation, dict) else None
    if isinstance(rules, list) and len(rules) > MOST_RULES:
        return "correlation", f"a correlation of {len(rules)} rules; at most {MOST_RULES}"
    for key in ("detection", "filter"):
        found = document.get(key)
        if isinstance(found, dict) and (excess := _excess(found)) is not None:
            return excess
    return None


def unheeded(document: dict[str, Any]) -> tuple[str, str] | None:
    """A key that nothing here heeds, and the reason: what a rule means by it would be lost."""
    parts = [part for part in KINDS if isinstance(document.get(part), dict)]
    if len(parts) > 1:
        return parts[1], f"a rule has one of {' and '.join(parts)}, not both"
    for key in parts:
        section = document[key]
        if key == "correlation":
            for name in section.keys() - CORRELATION:
                return str(name), f"a correlation has no key {name!r}"
            condition = section.get("condition")
            share = condition.get("percentile", 0) if isinstance(condition, dict) else 0
            if type(share) is not int or not 0 <= share <= 100:
                return "percentile", "a percentile is a whole number from 0 to 100"
        elif "timeframe" in section:
            return "timeframe", "a timeframe needs a correlation, where it is `timespan`"
    return None


def _excess(detection: dict[str, Any]) -> tuple[str, str] | None:
    given = detection.get("condition")
    conditions = given if isinstance(given, list) else [given]
    words = sum(len(str(one).split()) for one in conditions[: MOST_WORDS + 1])
    if words > MOST_WORDS:
        return "condition", f"a condition of more than {MOST_WORDS} words"
    values = 0
    left: list[Any] = [value for name, value in detection.items() if name != "condition"]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        else:
            values += 1
        # Aliases of YAML make a small file name many.
        if values + len(left) > MOST_VALUES:
            return "detection", f"a detection of more than {MOST_VALUES} values"
    if words * values > MOST_TESTS:
        return "condition", f"{words} words of a condition over {values} values: too many tests"
    return None


PACK = "pack"
# Of a range, and where its second is kept.
BOUNDS = ("gt", "gte", "lt", "lte", "neq")
RANGE = "hookstream_range"
CASES = ".cases.yml"
# What the clients' declarations say of their files, in a regular expression of a rule.
PLACES = re.compile("%client_(settings|mcp|managed)%")
LARGEST = 1 << 20
MOST_FILES = 20_000
LEVELS = ("informational", "low", "medium", "high", "critical")


def pack() -> Path:
    """The folder of the rules that ship."""
    return Path(str(resources.files("hookstream.rules").joinpath("pack")))


def own_folder() -> Path:
    """The folder of one's own rules where none is named; it need not exist."""
    return Path(config_folder() or "", "rules")


def usual_places() -> tuple[Path, ...]:
    """The places of rules where none is named: one's own folder, if it holds any, and the pack."""
    own = own_folder()
    return (own, Path(PACK)) if own.is_dir() and any(_below(own)) else (Path(PACK),)


def files_in(places: Iterable[Path]) -> list[Path]:
    """The rule files at some places: files as they are, `*.yml` and `*.yaml` below folders; the
    word `pack` means the shipped rules."""
    found: list[Path] = []
    for place in places:
        if str(place) == PACK:
            place = pack()
        if place.is_dir():
            below = _below(place)
            if not below:
                raise RuleError(f"{place}: holds no rule (no *.yml in it)")
            found += sorted(p for p in below if not p.name.endswith((CASES, ".cases.yaml")))
        elif place.is_file():
            found.append(place)
        else:
            raise RuleError(f"{place}: no such file or folder")
        if len(found) > MOST_FILES:
            raise RuleError(f"{place}: more than {MOST_FILES} rule files")
    return found


def holding(places: Iterable[Path]) -> tuple[Path, ...]:
    """The places that hold rules: without the folders that have none yet."""
    return tuple(place for place in places if not place.is_dir() or any(_below(place)))


def _below(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.suffix in (".yml", ".yaml") and p.is_file()]


def cases_of(file: Path) -> Path:
    """The file of a rule file's cases, whether or not it exists."""
    return file.with_name(file.stem + CASES)


def load(places: Iterable[Path]) -> SigmaCollection:
    """All rules of the files, references resolved. RuleErrors names every file that is wrong."""
    from sigma.collection import SigmaCollection
    from sigma.exceptions import SigmaError

    errors: list[RuleError] = []
    parts = []
    for file in files_in(places):
        try:
            parts.append(_read(file))
        except RuleErrors as several:
            errors += several.errors
        except RuleError as error:
            errors.append(error)
    if errors:
        raise RuleErrors(errors)
    idle = [filter_ for part in parts for filter_ in part.filters]
    merged = SigmaCollection.merge(parts, resolve_references=False)
    _unique(merged)
    errors = [_without_rule(filter_) for filter_ in idle if not _filters(filter_, merged)]
    if errors:
        raise RuleErrors(errors)
    try:
        merged.resolve_rule_references()
    except SigmaError as error:
        raise RuleError(_unresolved(merged, error)) from None
    return merged


def _read(file: Path) -> SigmaCollection:
    import yaml
    from sigma.collection import SigmaCollection
    from sigma.exceptions import SigmaError, SigmaRuleLocation

    try:
        if file.stat().st_size > LARGEST:
            raise RuleError(f"{file}: larger than {LARGEST} bytes")
        text = file.read_text("utf-8")
    except OSError as error:
        raise RuleError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RuleError(f"{file}: not UTF-8") from None
    if text.count("\n") + text.count(",") > MOST_ITEMS:
        raise RuleError(f"{file}:1: more than {MOST_ITEMS} lines and commas; use several files")
    try:
        documents = list(yaml.safe_load_all(PLACES.sub(_places, text)))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise RuleError(f"{file}:{line}: {getattr(error, 'problem', None) or 'no YAML'}") from None
    except (RecursionError, ValueError):
        raise RuleError(f"{file}:1: no YAML that can be read") from None
    for number, document in enumerate(documents):
        if document is not None and not isinstance(document, dict):
            raise RuleError(f"{file}:{start_of(text, number)}: a rule is a mapping")
        excess = (too_much(document) or unheeded(document)) if document is not None else None
        _keep_range(document)
        if excess is not None:
            line = _line(text, f"{excess[0]}:", start_of(text, number))
            raise RuleError(f"{file}:{line}: {excess[1]}")
    try:
        made = SigmaCollection.from_dicts(
            documents,
            collect_errors=True,
            source=SigmaRuleLocation(file),
            collect_filters=True,
            resolve_references=False,
        )
    except (SigmaError, RecursionError, TypeError, ValueError, AttributeError, KeyError) as error:
        raise RuleError(f"{file}:1: {reason(error)}") from None
    if made.errors:
        raise RuleErrors(
            [RuleError(f"{file}:{line_of(text, e)}: {reason(e)}") for e in made.errors]
        )
    for rule in made.rules:
        _needed(rule, file, text)
    return made


def _places(said: re.Match[str]) -> str:
    from hookstream.normalizers.client import settings_pattern

    return settings_pattern(said[1])


def _keep_range(document: Any) -> None:
    """Keep the second bound of a correlation's range where pySigma, which takes one, has no
    word."""
    correlation = (document or {}).get("correlation")
    condition = correlation.get("condition") if isinstance(correlation, dict) else None
    if not isinstance(condition, dict):
        return
    bounds = [key for key in BOUNDS if key in condition]
    number = condition[bounds[1]] if len(bounds) == 2 else None
    if isinstance(number, int | float) and isfinite(number):
        document[RANGE] = {bounds[1]: condition.pop(bounds[1])}


def _filters(rule: Any, collection: SigmaCollection) -> bool:
    """Return whether a filter is about one of the rules."""
    return any(rule._should_apply_on_rule(other) for other in collection.rules)


def _without_rule(rule: Any) -> RuleError:
    names = rule.filter.rules
    shown = names if isinstance(names, str) else ", ".join(name.reference for name in names)
    file = path_of(rule)
    line = _line(Path(file).read_text("utf-8"), shown.partition(",")[0])
    return RuleError(f"{file}:{line}: a filter of no rule here with its log source: {shown!r}")


def _needed(rule: Any, file: Path, text: str) -> None:
    if rule.id is None and rule.name is None:
        raise RuleError(f"{file}:{_line(text, rule.title)}: {rule.title!r} needs an id")


def _unique(collection: SigmaCollection) -> None:
    seen: dict[str, Any] = {}
    for rule in collection.rules:
        for key in (str(rule.id) if rule.id else None, rule.name):
            if key is not None and key in seen:
                raise RuleError(f"{path_of(rule)}:1: {key} is also in {path_of(seen[key])}")
            if key is not None:
                seen[key] = rule


def _unresolved(collection: SigmaCollection, error: Exception) -> str:
    found = re.search(r"'([^']+)'", str(error))
    if found:
        for rule in collection.rules:
            source = path_of(rule)
            text = Path(source).read_text("utf-8") if source else ""
            if "correlation" in text and found[1] in text:
                return f"{source}:{_line(text, found[1])}: {reason(error)}"
    return reason(error)


def path_of(rule: Any) -> str:
    return str(rule.source.path) if rule.source else ""


def names_of(rule: Any) -> set[str]:
    """The names of a rule: its id, name, title, and the name of its file."""
    return {str(rule.id), str(rule.name), str(rule.title), stem(path_of(rule))}


def stem(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def located(rule: Any, error: Exception) -> RuleError:
    """The error with the place in the rule's file that it is about."""
    file = path_of(rule)
    if not file:
        return RuleError(f"{rule.title}: {reason(error)}")
    text = Path(file).read_text("utf-8")
    return RuleError(f"{file}:{line_of(text, error, rule.title)}: {reason(error)}")


def line_of(text: str, error: Exception, title: str = "") -> int:
    """The line of the word an error quotes, else of the rule's title, else the first."""
    start = _line(text, title) if title else 1
    for word in [getattr(error, "field", ""), *re.findall(r"'([^']{1,200})'", str(error))]:
        if word and word in text:
            return _line(text, word, start)
    return start


def _line(text: str, word: str, start: int = 1) -> int:
    lines = text.splitlines()
    for number, line in enumerate(lines[start - 1 :], start):
        if word and word in line:
            return number
    return next((n for n, line in enumerate(lines, 1) if word and word in line), 1)


def start_of(text: str, number: int) -> int:
    """The line where the document of that number begins."""
    starts = [1, *(n + 1 for n, line in enumerate(text.splitlines(), 1) if line.startswith("---"))]
    return starts[min(number, len(starts) - 1)]


def reason(error: Exception) -> str:
    """One printable line, without pySigma's own mention of the file."""
    line = re.sub(r" in /\S+$", "", " ".join(str(error.args[0] if error.args else error).split()))
    shown = "".join(char if char.isprintable() else "?" for char in line)
    return shown[:300] or type(error).__name__
