"""Sigma's names to ours: the log sources and fields that rules written elsewhere use."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hookstream.rules.backend import Unsupported

if TYPE_CHECKING:
    from sigma.processing.pipeline import ProcessingPipeline

PRODUCT = "hookstream"
COMMANDS = ("shell", "package_install", "code_exec")
# Log sources of other products -> (our table, what its rows must be)
CATEGORIES: dict[str, tuple[str, dict[str, list[str]]]] = {
    "process_creation": ("calls", {"action_category": [*COMMANDS]}),
    "file_event": ("calls", {"action_category": ["file_write", "file_edit", *COMMANDS]}),
    "file_change": ("calls", {"action_category": ["file_write", "file_edit", *COMMANDS]}),
    "file_delete": ("calls", {"action_category": ["file_delete", *COMMANDS]}),
    "file_rename": ("calls", {"action_category": [*COMMANDS]}),
    "file_access": ("calls", {"action_category": ["file_read", *COMMANDS]}),
    "proxy": ("calls", {"action_category": ["web_request", "browser"]}),
    "webserver": ("calls", {"action_category": ["web_request", "browser"]}),
}
# Fields of the Sigma taxonomy -> ours, in rules of those log sources. `process.` and `file.` are of
# the backend.
WHO: dict[str | None, str | list[str]] = {
    "CurrentDirectory": "cwd",
    "User": "user_id",
    "Computer": "machine_id",
    "ComputerName": "machine_id",
}
PROCESS: dict[str | None, str | list[str]] = {
    **WHO,
    "CommandLine": "process.lines",
    "ProcessCommandLine": "process.lines",
    "Image": "process.images",
    "NewProcessName": "process.images",
    "OriginalFileName": "process.names",
    "ParentImage": "process.parents",
    "ParentProcessName": "process.parents",
}
WEB: dict[str | None, str | list[str]] = {
    **WHO,
    "c-uri": "url_targets",
    "cs-uri": "url_targets",
    "c-uri-query": "url_query",
    "c-uri-stem": "url_path",
    "cs-uri-stem": "url_path",
    "c-uri-extension": "url_extensions",
    "cs-host": "url_host",
    "r-dns": "url_host",
    "dst_ip": "url_host",
    "DestinationHostname": "url_host",
    "DestinationIp": "url_host",
}
FIELDS: dict[str, dict[str | None, str | list[str]]] = {
    "process_creation": PROCESS,
    **{
        category: {
            **WHO,
            "TargetFilename": files,
            "FileName": files,
            "SourceFilename": "file.renamed",
        }
        for category, files in (
            ("file_event", "file.written"),
            ("file_change", "file.written"),
            ("file_delete", "file.deleted"),
            ("file_rename", "file.renamed_to"),
            ("file_access", "file.read"),
        )
    },
    "proxy": WEB,
    "webserver": WEB,
}
# What no agent reports. A rule that needs it is refused; a filter on it filters nothing.
NOT_OF_A_PROCESS = {
    "ParentCommandLine": "what started the agent's shell is not recorded",
    "GrandParentImage": "what started the agent's shell is not recorded",
    **dict.fromkeys(
        "Description Product Company FileVersion Hashes md5 sha1 sha256".split(),
        "a command line says nothing of its program's file",
    ),
    **dict.fromkeys(
        ("IntegrityLevel", "LogonId", "ParentUser", "Provider_Name", "TerminalSessionId"),
        "only the operating system knows it",
    ),
}
NOT_OF_A_FILE = {
    **dict.fromkeys(
        ("Image", "CommandLine", "ParentImage", "ParentCommandLine", "IntegrityLevel"),
        "the agent itself handles the file, by a tool",
    ),
    **dict.fromkeys(("CreationUtcTime", "PreviousCreationUtcTime"), "no agent reports it"),
}
NOT_OF_A_REQUEST = dict.fromkeys(
    (
        "c-useragent cs-user-agent cs-method sc-status cs-cookie cs-referer cs-referrer "
        "cs-username cs-uri-query cs-content-type cs-bytes sc-bytes src_ip c-ip"
    ).split(),
    "agents report the URL of a request and nothing else",
)  # fmt: skip
UNKNOWN: dict[str, dict[str, str]] = {
    "process_creation": NOT_OF_A_PROCESS,
    **dict.fromkeys((name for name in CATEGORIES if name.startswith("file_")), NOT_OF_A_FILE),
    **dict.fromkeys(("proxy", "webserver"), NOT_OF_A_REQUEST),
}


def unknown_of(rule: Any) -> dict[str, str]:
    """Sigma's fields that rows of the rule's log source never have, with the reason."""
    return {} if rule.logsource.product == PRODUCT else UNKNOWN.get(rule.logsource.category, {})


def table_of(rule: Any) -> str:
    """The table a rule is about. Unsupported for a log source that has none here."""
    source = rule.logsource
    if source.product == PRODUCT:
        if not source.service:
            raise Unsupported("logsource: product hookstream needs a service, such as calls")
        return str(source.service)
    value = CATEGORIES.get(source.category or "")
    if value is None:
        what = ", ".join(
            str(one) for one in (source.product, source.category, source.service) if one
        )
        raise Unsupported(f"logsource: nothing here answers {what}; see docs/rules.md")
    return value[0]


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
            FieldMappingTransformation({**FIELDS[category]}),
            AddConditionTransformation({**needed}),
        ):
            where: Any = [LogsourceCondition(category=category)]
            items.append(ProcessingItem(made, rule_conditions=where))
    return ProcessingPipeline(name="hookstream", priority=50, items=items)
