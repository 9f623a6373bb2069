"""A pySigma backend whose output is a condition in DuckDB's SQL over one table.

Sigma's meaning, which the published backends miss in places: texts compare without case, a test of
a column that is null is false (so `not` of it is true), `_` and `%` are not wildcards, a test of a
list holds if it holds for one element, letters fold alike on both sides, addresses compare as
numbers. Regular expressions are RE2, as DuckDB has it.

A test of a process (`process.lines`) is about the variable `p`: the whole condition then holds if
it holds for one of the line's processes.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from sigma.conversion.base import Backend
from sigma.exceptions import SigmaError
from sigma.types import SigmaCasedString, SpecialChars

from hookstream.rules.addresses import in_network
from hookstream.rules.load import COMPILE_S
from hookstream.rules.schema import TEXTS, RuleTable, identifier, literal
from hookstream.shell.processes import images_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Test = Callable[[str], str]

NEVER = "false"
PARTS = frozenset("minute hour day week month year".split())


# Parents of what the agent's own shell starts: one of these, not known which.
AGENT_SHELLS = ("bash", "sh", "zsh", "cmd", "powershell", "pwsh")
# Files of calls that are about files and of commands, by what is done to them.
FILES = {
    "file.written": ("'file_write', 'file_edit'", "command_creates"),
    "file.deleted": ("'file_delete'", "command_deletes"),
    "file.renamed": ("", "command_moves"),
    "file.renamed_to": ("", "command_moved_to"),
    "file.read": ("'file_read'", "command_reads"),
}


class Unsupported(SigmaError):
    """The rule asks for what the table or this backend does not have."""


class UnknownField(Unsupported):
    """The table has no such column; `field` is its name in the rule."""

    def __init__(self, field: str, table: RuleTable) -> None:
        super().__init__(f"no field {field!r} in {table.name}{table.nearest(field)}")
        self.field = field


class DuckDB(Backend):
    """Conditions over the table that a rule is `about`."""

    name = "DuckDB"
    correlation_methods = None
    table: RuleTable
    # Sigma's fields that have no column here, with the reason. A filter on one filters nothing.
    unknown: Mapping[str, str] = {}
    # The rule's operating system.
    product: str = ""
    is_negated = False
    of_process = False
    # When (monotonic seconds) all rules have to be converted.
    until = float("inf")

    def about(self, table: RuleTable, product: str, unknown: Mapping[str, str]) -> None:
        """Begin a rule about a table."""
        self.table, self.product, self.unknown = table, product, unknown
        self.is_negated = self.of_process = False

    def convert_condition(self, cond: Any, state: Any) -> Any:
        if monotonic() > self.until:
            raise Unsupported(f"the rules take longer than {COMPILE_S:.0f} s to compile")
        return super().convert_condition(cond, state)

    # The tree

    def convert_condition_or(self, cond: Any, state: Any) -> str:
        return self._joined(" or ", cond, state)

    def convert_condition_and(self, cond: Any, state: Any) -> str:
        return self._joined(" and ", cond, state)

    def _joined(self, word: str, cond: Any, state: Any) -> str:
        parts = [self.convert_condition(arg, state) for arg in cond.args]
        return "(" + word.join(part for part in parts if part) + ")"

    def convert_condition_not(self, cond: Any, state: Any) -> str:
        self.is_negated = not self.is_negated
        inner = self.convert_condition(cond.args[0], state)
        self.is_negated = not self.is_negated
        return f"(not {inner})"

    def whole(self, condition: str) -> str:
        """A rule's condition, of one of the processes if it tests any."""
        if not self.of_process:
            return condition
        processes = self._column("command_processes")
        return f"coalesce(len([p for p in {processes} if {condition}]) > 0, false)"

    def convert_condition_as_in_expression(self, cond: Any, state: Any) -> str:
        return self._joined(" or ", cond, state)

    # One test of a field

    def test(self, field: str | None, make: Test) -> str:
        """`make` of the column, false if that is null; of a list, of one of its elements."""
        column, is_list = self.value(field)
        if not is_list:
            return f"coalesce({make(column)}, false)"
        held = f"coalesce({make('v')}, false)"
        return f"coalesce(len([v for v in {column} if {held}]) > 0, false)"

    def value(self, field: str | None) -> tuple[str, bool]:
        """(the SQL of a field, whether it is a list). UnknownField; a filter on what no column
        can have is about a field without a value."""
        if field is None:
            raise Unsupported("a value without a field cannot be tested like this")
        if field in self.unknown:
            if self.is_negated:
                return "cast(null as varchar)", False
            raise Unsupported(f"{field}: {self.unknown[field]}")
        if field in FILES:
            return self._files(*FILES[field]), True
        if field == "file_path" and self.table.has("file_spellings"):
            return "file_spellings", True
        name, dot, part = field.partition(".")
        if name == "process":
            return self._of_process(part), True
        if not self.table.has(name):
            raise UnknownField(field, self.table)
        kind = self.table.kind(name)
        column = identifier(name)
        if kind == "structs":
            if not dot or f'"{part}"' not in self._parts(name):
                raise UnknownField(field, self.table)
            values = f"[s.{identifier(part)} for s in {column}]"
            return (f"flatten({values})" if name == "command_processes" else values), True
        if dot:
            raise UnknownField(field, self.table)
        if kind == "list":
            return column, True
        return (column if kind == "text" else f"cast({column} as varchar)"), False

    def _of_process(self, part: str) -> str:
        """A list of the process `p`."""
        self.of_process = True
        column = f"p.{identifier(part)}"
        if self.is_negated and part == "images":
            column = f"list_concat({column}, p.others)"
        if part == "images" and self.table.has("cwd"):
            beside = f"list_append({column}, concat(cwd, substr({column}[1], 2)))"
            return f"(case when starts_with({column}[1], '.') then {beside} else {column} end)"
        # What is not known filters nothing.
        if self.is_negated and part == "names":
            return "cast([] as varchar[])"
        if part == "parents" and not self.is_negated:
            shells = ", ".join(
                literal(image) for name in AGENT_SHELLS for image in images_of(name, "")
            )
            return f"(case when len({column}) = 0 then [{shells}] else {column} end)"
        return column

    def _files(self, categories: str, command: str) -> str:
        """The files of a call, or of its command."""
        files = self._column(command)
        if self.table.has("cwd"):
            relative = f"[f for f in {files} if regexp_matches(f, '^[\\w.](?:[^:]|$)')]"
            there = f"[concat(cwd, if(contains(cwd, '\\'), '\\', '/'), f) for f in {relative}]"
            files = f"list_concat({files}, {there})"
        if not categories:
            return files
        return (
            f"(case when {self._column('action_category')} in ({categories}) "
            f"then {self._column('file_spellings')} else {files} end)"
        )

    def _parts(self, name: str) -> list[str]:
        """The names in a struct's declaration, quoted."""
        declared = self.table.columns[name].partition("(")[2]
        words = [part.split()[0] for part in declared.split(",") if part.split()]
        return [f'"{word.strip(chr(34))}"' for word in words]

    def convert_condition_field_eq_val_str(self, cond: Any, state: Any) -> str:
        return self.test(cond.field, lambda column: matches(column, cond.value, False))

    def convert_condition_field_eq_val_str_case_sensitive(self, cond: Any, state: Any) -> str:
        return self.test(cond.field, lambda column: matches(column, cond.value, True))

    def convert_condition_field_eq_val_num(self, cond: Any, state: Any) -> str:
        number = _number(cond.value.number)
        return self.test(cond.field, lambda column: f"try_cast({column} as double) = {number}")

    def convert_condition_field_compare_op_val(self, cond: Any, state: Any) -> str:
        sign = {"LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "NEQ": "<>"}[cond.value.op.name]
        number = _number(cond.value.number.number)
        return self.test(cond.field, lambda column: f"try_cast({column} as double) {sign} {number}")

    def convert_condition_field_eq_val_timestamp_part(self, cond: Any, state: Any) -> str:
        part = cond.value.timestamp_part.name.lower()
        if part not in PARTS:
            raise Unsupported(f"{part}: no such part of a time")
        number = _number(cond.value.number)
        return self.test(
            cond.field, lambda c: f"date_part('{part}', try_cast({c} as timestamp)) = {number}"
        )

    def convert_condition_field_eq_val_bool(self, cond: Any, state: Any) -> str:
        want = "true" if cond.value.boolean else "false"
        return self.test(cond.field, lambda column: f"try_cast({column} as boolean) = {want}")

    def convert_condition_field_eq_val_re(self, cond: Any, state: Any) -> str:
        return self.test(cond.field, lambda column: _regexp(column, cond.value))

    def convert_condition_field_eq_val_cidr(self, cond: Any, state: Any) -> str:
        return self.test(cond.field, lambda column: in_network(column, cond.value.network))

    def convert_condition_field_eq_field(self, cond: Any, state: Any) -> str:
        names = {(True, True): "contains", (True, False): "starts_with", (False, True): "ends_with"}
        name = names.get((cond.value.starts_with, cond.value.ends_with))
        other, is_list = self.value(cond.value.field)
        right = f"[o for o in {other} if o is not null]" if is_list else f"[{other}]"

        def holds(column: str) -> str:
            pair = f"{folded(column)}, {folded('o')}"
            test = f"{name}({pair})" if name else f"{folded(column)} = {folded('o')}"
            return f"len([o for o in {right} if {test}]) > 0"

        return self.test(cond.field, holds)

    def convert_condition_field_exists(self, cond: Any, state: Any) -> str:
        return self._has_value(cond.field)

    def convert_condition_field_not_exists(self, cond: Any, state: Any) -> str:
        return f"(not {self._has_value(cond.field)})"

    convert_condition_field_eq_val_null = convert_condition_field_not_exists

    def _has_value(self, field: str) -> str:
        """Return whether a field has a value: a list without elements has none."""
        column, is_list = self.value(field)
        if not is_list:
            return f"({column} is not null)"
        return f"coalesce(len([v for v in {column} if v is not null]) > 0, false)"

    def _column(self, field: str) -> str:
        if not self.table.has(field):
            raise UnknownField(field, self.table)
        return identifier(field)

    # Keywords: in any of the texts

    def convert_condition_val_str(self, cond: Any, state: Any) -> str:
        many = SpecialChars.WILDCARD_MULTI
        value = cond.value
        if not value.startswith(many):
            value = many + value
        if not value.endswith(many):
            value = value + many
        return self._anywhere(lambda column: matches(column, value, False))

    def convert_condition_val_num(self, cond: Any, state: Any) -> str:
        text = literal(str(cond.value))
        return self._anywhere(lambda column: f"contains({column}, {text})")

    def convert_condition_val_re(self, cond: Any, state: Any) -> str:
        return self._anywhere(lambda column: _regexp(column, cond.value))

    def _anywhere(self, make: Test) -> str:
        tests = [self.test(name, make) for name in TEXTS if self.table.has(name)]
        return "(" + " or ".join(tests) + ")" if tests else NEVER

    # What has no meaning here

    def convert_condition_field_eq_query_expr(self, cond: Any, state: Any) -> str:
        raise Unsupported("a query expression is not taken: it would be SQL of the rule's own")

    def convert_condition_query_expr(self, cond: Any, state: Any) -> str:
        raise Unsupported("a query expression is not taken: it would be SQL of the rule's own")

    def _no_correlation(self, *given: Any, **more: Any) -> Any:
        raise Unsupported("correlations are made elsewhere")

    convert_correlation_event_count_rule = _no_correlation
    convert_correlation_value_count_rule = _no_correlation
    convert_correlation_temporal_rule = _no_correlation
    convert_correlation_temporal_ordered_rule = _no_correlation
    convert_correlation_extended_temporal_rule = _no_correlation
    convert_correlation_extended_temporal_ordered_rule = _no_correlation
    convert_correlation_value_sum_rule = _no_correlation
    convert_correlation_value_avg_rule = _no_correlation
    convert_correlation_value_percentile_rule = _no_correlation
    convert_correlation_value_median_rule = _no_correlation


def matches(column: str, value: Any, cased: bool) -> str:
    """Return whether a text is, holds, starts or ends with what a Sigma string says."""
    parts = list(value.s)
    if any(not isinstance(part, str | SpecialChars) for part in parts):
        raise Unsupported("a placeholder is not taken")
    cased = cased or isinstance(value, SigmaCasedString)
    column = column if cased else folded(column)
    text_of = literal if cased else _folded_literal
    many = SpecialChars.WILDCARD_MULTI
    match parts:
        case []:
            return f"{column} = ''"
        case [str(text)]:
            return f"{column} = {text_of(text)}"
        case [first, str(text), last] if first is many and last is many:
            return f"contains({column}, {text_of(text)})"
        case [str(text), last] if last is many:
            return f"starts_with({column}, {text_of(text)})"
        case [first, str(text)] if first is many:
            return f"ends_with({column}, {text_of(text)})"
    signs = {many: "%", SpecialChars.WILDCARD_SINGLE: "_"}
    pattern = "".join(_plain(p) if isinstance(p, str) else signs[p] for p in parts)
    return f"{column} like {text_of(pattern)} escape '!'"


def folded(text: str) -> str:
    """The SQL of a text in one case: the only folding, so that a value finds its own text.
    Both of \u00df and ss, \u03c3 and \u03c2, i and \u0130 are one letter."""
    both = f"lower(upper(nfc_normalize({text})))"
    one_case = f"replace(replace({both}, '\u00df', 'ss'), 'i\u0307', 'i')"
    return f"(case when strlen({text}) = length({text}) then lower({text}) else {one_case} end)"


def _folded_literal(text: str) -> str:
    return literal(text.lower()) if text.isascii() else folded(literal(text))


def _plain(text: str) -> str:
    """A text with no wildcard in it for LIKE ... ESCAPE '!'."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _regexp(column: str, value: Any) -> str:
    """RE2 in both: flags are in the pattern, where `m` means what Sigma means by it."""
    flags = "".join(sorted(value.sigma_to_re_flag[flag] for flag in value.flags))
    pattern = f"(?{flags}){value.regexp}" if flags else str(value.regexp)
    return f"regexp_matches({column}, {literal(pattern)})"


def _number(value: float) -> str:
    """A number as a literal; a number that is not finite is refused."""
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):
        raise Unsupported(f"{value} is not a number")
    return repr(int(number)) if number.is_integer() else repr(number)
