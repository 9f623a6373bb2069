"""Settings with rules as people write them: what install can edit, rules can read."""

from __future__ import annotations

import json

import pytest

from hookstream.capture.install.splices import Document
from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.client import client_of

SETTINGS = {
    "claude-code": ({"permissions": {"deny": ["Bash(rm // x)"]}}, "settings.json"),
    "qwen-code": ({"permissions": {"deny": ["Bash(rm)"]}}, "settings.json"),
    "gemini-cli": ({"tools": {"exclude": ["web_fetch"]}}, "settings.json"),
    "opencode": ({"permission": {"bash": {"rm *": "deny"}}}, "opencode.json"),
    "kilo": ({"permission": {"bash": {"rm *": "deny"}}}, "kilo.json"),
    "copilot": (
        {"locations": {"/p": {"tool_approvals": [{"kind": "write"}]}}},
        "permissions-config.json",
    ),
}
FORMS = {
    "comments": lambda text: "// first\n" + text.replace("{", "{ /* here */ ", 1),
    "comma": lambda text: text[:-1] + ",}",
    "mark": lambda text: "\ufeff" + text,
    "no-break space": lambda text: text.replace("{", "{\u00a0", 1),
    "line ends": lambda text: text.replace("{", "{\r\n", 1) + "\r\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("client", SETTINGS)
def test_rules_are_read_in_every_form_that_install_edits(client: str, form: str) -> None:
    value, name = SETTINGS[client]
    permissions = client_of(client).permissions
    assert permissions is not None
    plain = json.dumps(value)
    text = FORMS[form](plain)
    Document(text.removeprefix("\ufeff"))
    wanted = list(permissions.read(plain.encode(), name))
    assert wanted and list(permissions.read(text.encode(), name)) == wanted


@pytest.mark.parametrize("data", [b"{", b"{} {}", b'{"a": 1 "b": 2}', b"\xff", b'{"a": NaN}'])
def test_a_broken_file_is_refused(data: bytes) -> None:
    permissions = client_of("qwen-code").permissions
    assert permissions is not None
    with pytest.raises(UnreadableLine):
        list(permissions.read(data, "settings.json"))
