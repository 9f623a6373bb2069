"""A pySigma backend whose output is a condition in DuckDB's SQL over one table.

Sigma's meaning, which the published backends miss in places: texts compare without case, a test of
a column that is null is false (so `not` of it is true), `_` and `%` are not wildcards, a test of a
list holds if it holds for one element. Regular expressions are RE2, as DuckDB has it.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from sigma.conversion.base import Backend
from sigma.exceptions import SigmaError
from sigma.types import SigmaCasedString, SigmaString, SpecialChars

from hookstream.rules.bounds import COMPILE_S
from hookstream.rules.schema import TEXTS, RuleTable, identifier, literal

if TYPE_CHECKING:
    from collections.abc import Callable

    Test = Callable[[str], str]

NEVER = "false"
PARTS = frozenset("minute hour day week month year".split())


class Unsupported(SigmaError):
    """The rule asks for what the table or this backend does not have."""


class UnknownField(Unsupported):
    """The table has no such column; `field` is its name in the rule."""

    def __init__(self, field: str, table: RuleTable) -> None:
        super().__init__(f"no field {field!r} in {table.name}{table.nearest(field)}")
        self.field = field


class DuckDB(Backend):
    """Conditions over `table`, which is set before a rule is converted."""

    name = "DuckDB"
    correlation_methods = None
    table: RuleTable
    # When (monotonic seconds) all rules have to be converted.
    until = float("inf")

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
        return f"(not {self.convert_condition(cond.args[0], state)})"

    def convert_condition_as_in_expression(self, cond: Any, state: Any) -> str:
        return self._joined(" or ", cond, state)

    # One test of a field

    def test(self, field: str | None, make: Test) -> str:
        """`make` of the column, false if that is null; of a list, of one of its elements."""
        if field is None:
            raise Unsupported("a value without a field cannot be tested like this")
        name, dot, part = field.partition(".")
        if not self.table.has(name):
            raise UnknownField(field, self.table)
        kind = self.table.kind(name)
        column = identifier(name)
        if kind in ("list", "structs"):
            inner = "v"
            if kind == "structs":
                if not dot or f'"{part}"' not in self._parts(name):
                    raise UnknownField(field, self.table)
                inner = f"v.{identifier(part)}"
            made = f"coalesce({make(inner)}, false)"
            return f"coalesce(len([v for v in {column} if {made}]) > 0, false)"
        if dot:
            raise UnknownField(field, self.table)
        text = column if kind == "text" else f"cast({column} as varchar)"
        return f"coalesce({make(text)}, false)"

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
        patterns = [SigmaString(text) for text in cond.value.expand()]
        return self.test(
            cond.field,
            lambda column: "(" + " or ".join(matches(column, p, False) for p in patterns) + ")",
        )

    def convert_condition_field_eq_field(self, cond: Any, state: Any) -> str:
        other = cond.value.field
        if not self.table.has(other):
            raise UnknownField(other, self.table)
        right = f"lower(cast({identifier(other)} as varchar))"
        if cond.value.starts_with or cond.value.ends_with:
            name = "starts_with" if cond.value.starts_with else "ends_with"
            return self.test(cond.field, lambda column: f"{name}(lower({column}), {right})")
        return self.test(cond.field, lambda column: f"lower({column}) = {right}")

    def convert_condition_field_eq_val_null(self, cond: Any, state: Any) -> str:
        return f"({self._column(cond.field)} is null)"

    def convert_condition_field_exists(self, cond: Any, state: Any) -> str:
        return f"({self._column(cond.field)} is not null)"

    def convert_condition_field_not_exists(self, cond: Any, state: Any) -> str:
        return f"({self._column(cond.field)} is null)"

    def _column(self, field: str) -> str:
        if not self.table.has(field):
            raise UnknownField(field, self.table)
        return identifier(field)

    # Keywords: in any of the texts

    def convert_condition_val_str(self, cond: Any, state: Any) -> str:
        value = cond.value
        if not value.contains_special():
            value = SpecialChars.WILDCARD_MULTI + value + SpecialChars.WILDCARD_MULTI
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
    if not cased and not isinstance(value, SigmaCasedString):
        column = f"lower({column})"
        parts = [part.lower() if isinstance(part, str) else part for part in parts]
    many = SpecialChars.WILDCARD_MULTI
    match parts:
        case []:
            return f"{column} = ''"
        case [str(text)]:
            return f"{column} = {literal(text)}"
        case [first, str(text), last] if first is many and last is many:
            return f"contains({column}, {literal(text)})"
        case [str(text), last] if last is many:
            return f"starts_with({column}, {literal(text)})"
        case [first, str(text)] if first is many:
            return f"ends_with({column}, {literal(text)})"
    signs = {many: "%", SpecialChars.WILDCARD_SINGLE: "_"}
    pattern = "".join(_plain(p) if isinstance(p, str) else signs[p] for p in parts)
    return f"{column} like {literal(pattern)} escape '!'"


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
