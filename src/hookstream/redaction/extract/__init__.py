"""Extractors take the value at or after the place a rule found.

An extractor gets the text and the match and gives the spans of secret values, often none. Each
looks at a bounded stretch and never goes back, so hostile text costs no more than any other.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from hookstream.redaction.extract.values import Spans

    Extractor = Callable[[str, re.Match[str]], Spans]

# module -> the extractors of it that rules name
EXTRACTORS = {
    "assignment": "assignment",
    "block": "body key_bytes pem pem_end putty",
    "command": "command",
    "option": "argument form_part named_call named_flag option store_write",
    "call": "value_beside login_call password_argument sql_insert last_argument further_hosts",
    "personal": "card email iban number phone spelt_email weak_number",
    "prose": "value_before_word foreign_prose prose",
    "table": "line_below table_column xml_element displayed_value value_before_name",
}
_MODULES = {name: module for module, names in EXTRACTORS.items() for name in names.split()}


def extractor(name: str) -> Extractor:
    """The extractor of this name; KeyError for none. Modules are loaded as they are asked for: few
    texts need any, and a hook has no millisecond for all."""
    function: Extractor = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return function
