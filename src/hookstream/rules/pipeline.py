"""Sigma's names to ours: the log sources and fields that rules written elsewhere use."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hookstream.rules.backend import Unsupported

if TYPE_CHECKING:
    from sigma.processing.pipeline import ProcessingPipeline

PRODUCT = "hookstream"
# Log sources of other products -> (our table, what its rows must be)
CATEGORIES: dict[str, tuple[str, dict[str, list[str]]]] = {
    "process_creation": ("calls", {"action_category": ["shell", "package_install", "code_exec"]}),
    "file_event": ("calls", {"action_category": ["file_write", "file_edit"]}),
    "file_change": ("calls", {"action_category": ["file_write", "file_edit"]}),
    "file_delete": ("calls", {"action_category": ["file_delete"]}),
    "file_access": ("calls", {"action_category": ["file_read"]}),
    "proxy": ("calls", {"action_category": ["web_request", "browser"]}),
    "webserver": ("calls", {"action_category": ["web_request", "browser"]}),
}
# Fields of the Sigma taxonomy -> ours, in rules of those log sources
FIELDS: dict[str | None, str | list[str]] = {
    "CommandLine": "command",
    "ProcessCommandLine": "command",
    "Image": "command_images",
    "OriginalFileName": "command_programs",
    "CurrentDirectory": "cwd",
    "User": "user_id",
    "Computer": "machine_id",
    "ComputerName": "machine_id",
    "TargetFilename": "file_path",
    "FileName": "file_path",
    "c-uri": "url",
    "c-uri-query": "url",
    "cs-host": "url",
    "DestinationHostname": "url",
}


def table_of(rule: Any) -> str:
    """The table a rule is about. Unsupported for a log source that has none here."""
    source = rule.logsource
    if source.product == PRODUCT:
        if not source.service:
            raise Unsupported("logsource: product hookstream needs a service, such as calls")
        return str(source.service)
    known = CATEGORIES.get(source.category or "")
    if known is None:
        what = ", ".join(
            str(one) for one in (source.product, source.category, source.service) if one
        )
        raise Unsupported(f"logsource: nothing here answers {what}; see docs/rules.md")
    return known[0]


@lru_cache(maxsize=1)
def pipeline() -> ProcessingPipeline:
    """The pySigma pipeline: fields and conditions of the log sources in CATEGORIES."""
    from sigma.processing.conditions import LogsourceCondition
    from sigma.processing.pipeline import ProcessingItem, ProcessingPipeline
    from sigma.processing.transformations import (
        AddConditionTransformation,
        FieldMappingTransformation,
    )

    items = []
    for category, (_, needed) in CATEGORIES.items():
        for made in (
            FieldMappingTransformation({**FIELDS}),
            AddConditionTransformation({**needed}),
        ):
            where: Any = [LogsourceCondition(category=category)]
            items.append(ProcessingItem(made, rule_conditions=where))
    return ProcessingPipeline(name="hookstream", priority=50, items=items)
