"""Rules of a SigmaHQ checkout against events made from their own selections.

    python benchmarks/sigmahq.py CHECKOUT [--misses]

Of each rule of a category that docs/rules.md names, an event is made that its own selections ask
for; an evaluator of a few lines (pySigma parses, Python compares) agrees that the rule matches it.
The event is then written as an agent's call (of a file: by a tool and by commands, which all have
to be found), and the product is asked. Reported: rules, those that
load, refusals by reason, rules for which an event could be made, those of them that find it.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigma.collection import SigmaCollection
from sigma.conditions import (
    ConditionAND,
    ConditionFieldEqualsValueExpression,
    ConditionNOT,
    ConditionOR,
    ConditionValueExpression,
)
from sigma.exceptions import SigmaError
from sigma.types import SigmaCasedString, SigmaNull, SigmaNumber, SigmaString, SpecialChars

from hookstream.rules.cases import CaseLake
from hookstream.rules.compile import compile_rules
from hookstream.rules.evaluate import findings
from hookstream.rules.load import RuleError, load

if TYPE_CHECKING:
    from collections.abc import Iterator

CATEGORIES = {
    "process_creation": "shell",
    "file_event": "file_write",
    "file_change": "file_edit",
    "file_delete": "file_delete",
    "file_rename": "shell",
    "file_access": "file_read",
    "proxy": "web_request",
}
# The same by commands of two systems.
BY_COMMANDS = {
    "file_event": ("echo x > {to}", "cp a {to}", "Set-Content -Path {to} -Value x"),
    "file_change": ("echo x >> {to}",),
    "file_delete": ("rm -f {to}", "del /q {to}", "Remove-Item -LiteralPath {to} -Force"),
    "file_rename": ("mv {old} {to}", "Move-Item {old} -Destination {to}"),
    "file_access": ("cat {to}", "Get-Content {to}"),
}
FOLDERS = ("rules", "rules-emerging-threats", "rules-threat-hunting", "rules-placeholder",
    "rules-compliance")  # fmt: skip
MOST_TRIES = 400
PATHS = ("Image", "ParentImage", "TargetFilename", "FileName")
# What starts another program by its arguments.
NESTS = {"cmd": "/c", "powershell": "-Command", "pwsh": "-Command", "bash": "-c", "sh": "-c",
    "zsh": "-c", "dash": "-c", "ksh": "-c"}  # fmt: skip
Needs = list[tuple[str, Any]]


def choices(node: Any, wanted: bool) -> Iterator[Needs]:
    """Lists of tests that make a condition hold, those of its first selections first."""
    if isinstance(node, ConditionNOT):
        yield from choices(node.args[0], not wanted)
    elif isinstance(node, ConditionAND | ConditionOR):
        if isinstance(node, ConditionAND) is wanted:
            parts = [list(itertools.islice(choices(child, wanted), 12)) for child in node.args]
            for picked in itertools.islice(itertools.product(*parts), MOST_TRIES):
                yield [need for part in picked for need in part]
        else:
            for child in node.args:
                yield from choices(child, wanted)
    elif isinstance(node, ConditionFieldEqualsValueExpression | ConditionValueExpression):
        field = getattr(node, "field", "")
        yield [(field, node.value)] if wanted else []


def event_of(needs: Needs, is_windows: bool) -> dict[str, str] | None:
    """An event that has what the tests ask for; None if that cannot be written."""
    by_field: dict[str, list[Any]] = defaultdict(list)
    for field, value in needs:
        by_field[field].append(value)
    event = {}
    for field, values in by_field.items():
        whole, first, last, middle = "", "", "", []
        for value in values:
            if isinstance(value, SigmaNull):
                continue
            if isinstance(value, SigmaNumber):
                whole = str(value)
                continue
            if not isinstance(value, SigmaString):
                return None
            parts = ["?" if part is SpecialChars.WILDCARD_SINGLE else part for part in value.s]
            texts = [part for part in parts if isinstance(part, str)]
            text = " ".join(texts).replace("?", "x")
            if not parts or any(not isinstance(p, str | SpecialChars) for p in parts):
                continue
            if isinstance(parts[0], str) and isinstance(parts[-1], str):
                whole = text
            elif isinstance(parts[0], str):
                first = text if len(text) > len(first) else first
            elif isinstance(parts[-1], str):
                last = text if len(text) > len(last) else last
            else:
                middle.append(text)
        inside = "".join(text for text in middle if text not in first + last)
        joint = "" if field in PATHS else " "
        made = whole or joint.join(filter(None, (first, inside, last)))
        if field in PATHS and not whole and not first:
            folder, sign = ("C:\\Data", "\\") if is_windows or made[:1] == "\\" else ("/data", "/")
            made = f"{folder}{'' if made[:1] in (chr(92), '/') else sign + 'x'}{made}"
        if field in ("Image", "ParentImage") and made.endswith(("\\", "/")):
            made += "bash" if field == "ParentImage" else "x.exe" if is_windows else "x"
        event[field] = made
    return event


def holds(node: Any, event: dict[str, str]) -> bool:
    """The reference: whether a condition holds of an event."""
    if isinstance(node, ConditionAND):
        return all(holds(child, event) for child in node.args)
    if isinstance(node, ConditionOR):
        return any(holds(child, event) for child in node.args)
    if isinstance(node, ConditionNOT):
        return not holds(node.args[0], event)
    if isinstance(node, ConditionValueExpression):
        return any(matches(node.value, text) for text in event.values())
    return matches(node.value, event.get(node.field))


def matches(value: Any, text: str | None) -> bool:
    if isinstance(value, SigmaNull):
        return text is None
    if text is None:
        return False
    if isinstance(value, SigmaString):
        signs = {SpecialChars.WILDCARD_MULTI: ".*", SpecialChars.WILDCARD_SINGLE: "."}
        pattern = "".join(re.escape(p) if isinstance(p, str) else signs.get(p, "") for p in value.s)
        flags = re.DOTALL | (0 if isinstance(value, SigmaCasedString) else re.IGNORECASE)
        return re.fullmatch(pattern, text, flags) is not None
    if isinstance(value, SigmaNumber):
        return text == str(value)
    if hasattr(value, "regexp"):
        try:
            return re.search(str(value.regexp), text) is not None
        except re.error:
            return False
    return False


def base(path: str) -> str:
    return re.split(r"[\\/]", path)[-1].lower().removesuffix(".exe")


def call_of(
    event: dict[str, str], category: str, is_windows: bool
) -> tuple[dict[str, str], dict[str, str]] | None:
    """(the call that an agent would report, the event as the operating system would)."""
    row = {"action_category": CATEGORIES[category]}
    seen = dict(event)
    if "CurrentDirectory" in event:
        row["cwd"] = event["CurrentDirectory"]
    if "User" in event:
        row["user_id"] = event["User"]
    if category == "process_creation":
        name = event.get("OriginalFileName", "")
        folder = "C:\\Windows\\System32\\" if is_windows else "/usr/bin/"
        image = event.get("Image") or (folder + base(name) + ".exe" if name else "")
        line = event.get("CommandLine", "")
        first = line.lstrip("\"' ").split(" ")[0].rstrip("\"'")
        if image and (base(first) != base(image) or not base(image)):
            line = f'"{image}" {line}'.strip() if " " in image else f"{image} {line}".strip()
        elif image and not re.search(r"[\\/]", first):
            # A name alone is looked for where systems keep programs.
            image = folder + base(first) + (".exe" if is_windows else "")
        if not line or (name and base(name) != base(image)):
            return None
        seen["CommandLine"] = row["command"] = line
        if image:
            seen["Image"] = image
        if "ParentImage" in event:
            parent = event["ParentImage"]
            option = NESTS.get(base(parent))
            if option is None:
                return None
            quoted = line if base(parent) == "cmd" else "'" + line.replace("'", "'\\''") + "'"
            start = f'"{parent}"' if " " in parent else parent
            row["command"] = f"{start} {option} {quoted}"
    elif category == "proxy":
        host = event.get("cs-host") or event.get("r-dns") or event.get("dst_ip") or "h.example"
        target = event.get("c-uri") or event.get("cs-uri") or event.get("c-uri-stem") or "/"
        if event.get("c-uri-extension"):
            target += "x." + event["c-uri-extension"].lstrip(".")
        if event.get("c-uri-query"):
            target += "?" + event["c-uri-query"].lstrip("?")
        row["url"] = target if "://" in target else f"https://{host}/{target.lstrip('/')}"
        if "c-uri" in event and "://" not in event["c-uri"]:
            seen["c-uri"] = row["url"]
    else:
        name = event.get("TargetFilename") or event.get("FileName")
        if not name:
            return None
        row["file_path"] = name
        row["old"] = event.get("SourceFilename", "")
    return row, seen


def as_calls(row: dict[str, str], category: str) -> list[dict[str, str]]:
    """The calls by which an agent does what an event says."""
    old = row.pop("old", "")
    name = row.get("file_path", "")
    texts = [text.format(to=f"'{name}'", old=f"'{old}'") for text in BY_COMMANDS.get(category, ())]
    rows = [{**row, "file_path": None, "action_category": "shell", "command": t} for t in texts]
    return rows if category == "file_rename" else [row, *rows]


def witness(rule: Any, category: str) -> dict[str, str] | None:
    """A call that the rule has to find; None if none could be made."""
    is_windows = rule.logsource.product == "windows"
    for condition in rule.detection.parsed_condition:
        tree = condition.parsed
        for needs in itertools.islice(choices(tree, True), MOST_TRIES):
            event = event_of(needs, is_windows)
            made = call_of(event, category, is_windows) if event else None
            if made is not None and holds(tree, made[1]):
                return made[0]
    return None


def refusal(error: RuleError) -> str:
    """The reason without file and line, its names taken out."""
    text = re.sub(r"^\S+?:(?:\d+:)? ", "", str(error).splitlines()[0])
    return re.sub(r"'[^']*'", "...", text)[:100]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument(
        "--misses", action="store_true", help="print the rules that do not find their event"
    )
    options = parser.parse_args()
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    reasons: Counter[str] = Counter()
    with CaseLake() as lake:
        lake.has("calls")
        for file in sorted(f for name in FOLDERS for f in (options.checkout / name).rglob("*.yml")):
            text = file.read_text("utf-8")
            found = re.search(r"^\s+category:\s*(\w+)", text, re.MULTILINE)
            if found is None or found[1] not in CATEGORIES:
                continue
            category = found[1]
            product = re.search(r"^\s+product:\s*(\w+)", text, re.MULTILINE)
            key = (category, product[1] if product else "any")
            counts[key]["rules"] += 1
            try:
                rules = compile_rules(load([file]), lake.table)
            except RuleError as error:
                counts[key]["refused"] += 1
                reasons[refusal(error)] += 1
                if options.misses:
                    print("refused", file.name, error)
                continue
            counts[key]["loaded"] += 1
            try:
                row = witness(SigmaCollection.from_yaml(text).rules[0], category)
            except SigmaError:
                row = None
            if row is None:
                continue
            counts[key]["with an event"] += 1
            calls = as_calls(row, category)
            missed = [call for call in calls if not findings(lake.fill({"calls": [call]}), rules)]
            if not missed:
                counts[key]["matched"] += 1
            elif options.misses:
                print("missed", file.name, *missed)
    columns = ("rules", "loaded", "refused", "with an event", "matched")
    print("| category | system | " + " | ".join(columns) + " | share |")
    print("|---" * (len(columns) + 3) + "|")
    for (category, product), row in sorted(counts.items()):
        share = row["matched"] / row["with an event"] if row["with an event"] else 1.0
        shown = " | ".join(f"{row[name]:,}" for name in columns)
        print(f"| {category} | {product} | {shown} | {share:.3f} |")
    total: Counter[str] = sum(counts.values(), Counter())
    share = total["matched"] / max(1, total["with an event"])
    print(f"| all | | {' | '.join(f'{total[name]:,}' for name in columns)} | {share:.3f} |")
    print()
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
