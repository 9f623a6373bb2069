"""Write a rule in a page: check it with its cases, try it on the lake, save it in a folder of one's
own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.files import make_private, write_atomic
from hookstream.rules.ask import ask
from hookstream.rules.cases import run_cases
from hookstream.rules.draft import NAME, cases_text, first_texts, rule_text
from hookstream.rules.findings import Finding
from hookstream.rules.load import PACK, RuleErrors, cases_of, files_in, own_folder
from hookstream.rules.tuning import DetectOptions
from hookstream.ui.rulepage import RuleBook, text_of

MOST_FOUND = 100
STEM = "new_rule"


@dataclass
class RuleDraft:
    """A rule as it is in the form. `file` is the one it was read from (None: a new rule), `mark` a
    digest of what was in it and its cases."""

    name: str = ""
    rule: str = ""
    cases: str = ""
    file: Path | None = None
    mark: str = ""


@dataclass
class Trial:
    """The result of a check: `problems` as (rule or cases, line, reason); `findings` are the first
    of `total` in the lake, None if it was not asked."""

    problems: list[tuple[str, int, str]] = field(default_factory=list)
    cases: int = 0
    total: int = 0
    findings: list[Finding] | None = None

    @property
    def is_good(self) -> bool:
        return not self.problems


@dataclass(eq=False)
class RuleEditor:
    """Drafts of rules over the lake at a path, with the rules of a book next to them."""

    lake: Path
    book: RuleBook

    @property
    def folder(self) -> Path | None:
        """The folder of one's own rules: the first that the pages were started with, the usual one
        where they were started with none."""
        if not self.book.asked.rules:
            return own_folder()
        folders = (place for place in self.book.asked.rules if str(place) != PACK)
        return next((place for place in folders if place.is_dir()), None)

    def begin(self, call: str = "") -> RuleDraft:
        """A rule to begin with, from a call of the lake: the one that has the event, or the newest.
        HookstreamError if it does not exist."""
        try:
            rule, cases, _ = first_texts(self.lake, STEM, call or None)
        except NothingToRead:
            if call:
                raise
            given = {"command": "git push --force"}
            rule, cases = rule_text(STEM, given), cases_text(given, None)
        # The file's name is the rule's, which is chosen in the form.
        return RuleDraft("", rule.replace(f"name: {STEM}\n", ""), cases)

    def open(self, name: str) -> RuleDraft:
        """An own rule as its files are now. HookstreamError if it is not one."""
        file = self._own(name)
        rule, cases = _text(file), _text(cases_of(file))
        return RuleDraft(file.stem, rule, cases, file, _mark(rule, cases))

    def read(self, form: dict[str, str]) -> RuleDraft:
        """The draft as a form has it."""
        rule, cases = (form.get(key, "").replace("\r\n", "\n") for key in ("rule", "cases"))
        name, edited = form.get("name", "").strip(), form.get("edited", "")
        file = self._own(edited) if edited else None
        return RuleDraft(file.stem if file else name, rule, cases, file, form.get("mark", ""))

    def check(self, draft: RuleDraft, *, on_lake: bool) -> Trial:
        """Check the rule and run its cases; where both are right and it is wanted, ask the lake."""
        trial = Trial()
        with self._written(draft) as (file, others):
            try:
                tested = run_cases([file], others)
                trial.cases = tested.cases
                trial.problems = [_problem(line, file) for line in tested.failures]
                if on_lake and not any(what == "rule" for what, _, _ in trial.problems):
                    only = frozenset({file.stem})
                    asked = DetectOptions((file, *others), only=only)
                    found = ask(self.lake, asked).findings
                    trial.total = len(found)
                    trial.findings = found[::-1][:MOST_FOUND]
            except RuleErrors as several:
                trial.problems = [_problem(str(error), file) for error in several.errors]
            except HookstreamError as error:
                trial.problems = [_problem(str(error), file)]
        return trial

    def save(self, draft: RuleDraft) -> Path:
        """Write the rule and its cases; the draft has been checked. HookstreamError."""
        folder = self.folder
        if folder is None:
            raise HookstreamError("no folder for it: start with hookstream ui LAKE --rules DIR")
        make_private(folder)
        file = draft.file or folder / f"{self._name(draft)}.yml"
        beside = cases_of(file)
        if draft.file is None:
            for taken in (file, beside):
                if taken.exists():
                    raise HookstreamError(f"{taken.name} already exists; choose another name")
        elif draft.mark != _mark(_text(file), _text(beside)):
            raise HookstreamError(f"{file.name} has changed since; open it again")
        try:
            write_atomic(file, _ended(draft.rule).encode())
            if draft.cases.strip():
                write_atomic(beside, _ended(draft.cases).encode())
            else:
                beside.unlink(missing_ok=True)
        except OSError as error:
            raise HookstreamError(f"{file}: {error.strerror}") from None
        return file

    def _name(self, draft: RuleDraft) -> str:
        if not NAME.fullmatch(draft.name):
            raise HookstreamError(
                "a rule needs a name: 3 to 64 of a-z, 0-9 and _, beginning with a letter"
            )
        return draft.name

    def _own(self, name: str) -> Path:
        """The file of an own rule in the folder."""
        listed = self.book.called(name)
        file = Path(listed.listed.rule.file) if listed is not None else None
        folder = self.folder
        if file is None or folder is None or not file.is_relative_to(folder):
            raise HookstreamError(f"no rule {name!r} in a folder of your own rules")
        return file

    @contextmanager
    def _written(self, draft: RuleDraft) -> Iterator[tuple[Path, list[Path]]]:
        """The draft as files, and the files of the other rules, which it may name."""
        places = self.book.places
        others = [file for file in (files_in(places) if places else []) if file != draft.file]
        with tempfile.TemporaryDirectory(prefix="hookstream-rule-") as folder:
            stem = draft.file.stem if draft.file else draft.name
            file = Path(folder, f"{stem if NAME.fullmatch(stem) else STEM}.yml")
            file.write_text(draft.rule, "utf-8")
            if draft.cases.strip():
                cases_of(file).write_text(draft.cases, "utf-8")
            yield file, others


def _problem(text: str, file: Path) -> tuple[str, int, str]:
    """(rule, cases or the name of another file; line; reason) of `FILE:LINE: reason`. The draft is
    called by its name: where it was written for the check is nothing to a reader."""
    shown = text.replace(f"{file.parent}{os.sep}", "")
    for what, path in (("cases", cases_of(file)), ("rule", file)):
        if text.startswith(f"{path}:"):
            told = shown.removeprefix(f"{path.name}:")
            number, _, reason = told.partition(": ")
            if number.isdigit():
                return what, int(number), reason
            return what, 0, told.strip()
    return "rule", 0, shown


def _text(file: Path) -> str:
    return text_of(file) if file.exists() else ""


def _mark(rule: str, cases: str) -> str:
    return sha256(f"{rule}\0{cases}".encode("utf-8", "replace")).hexdigest()[:16]


def _ended(text: str) -> str:
    return text.rstrip() + "\n"
