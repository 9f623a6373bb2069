"""Switching a client's own telemetry on, toward the collector or into a file that `run` reads.

What is written is known again by the collector's token, or by the file's place. A client that
already exports somewhere is left alone: a collector of the user's can fan out (docs/telemetry.md).
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hookstream.capture.install import atomic
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import Around, ConfigFile, decoded, encoded
from hookstream.capture.install.jsonc import BrokenDocument
from hookstream.capture.install.splices import Document
from hookstream.core.folders import state_folder

DEFAULT_URL = "http://127.0.0.1:4318"
BLOCK = re.compile(
    r"(?:\r?\n)?# telemetry to hookstream's collector\r?\n"
    r"\[otel\]\r?\n(?:[a-z_]+ = .*(?:\r?\n|\Z))+"
)
# Why a client's settings cannot switch it on.
BY_ENVIRONMENT = "telemetry is switched on by environment variables only, see docs/telemetry.md"
NOT_POSSIBLE = {
    "copilot": BY_ENVIRONMENT,
    "opencode": BY_ENVIRONMENT,
    "cline": "telemetry goes to an address of the vendor's, which no setting changes",
}


class TelemetryTarget:
    """The destination of telemetry: the collector's address and token, the folder for outfiles,
    and whether exports are JSON: a bundle's collector does not read protobuf."""

    def __init__(self, url: str, token: str, folder: Path, json: bool = False) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.folder = folder
        self.json = json

    def values(self, vendor: str) -> dict[str, Any]:
        """The contents of a client's section. Content stays off."""
        if vendor == "claude-code":
            return {
                "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
                "OTEL_LOGS_EXPORTER": "otlp",
                "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json" if self.json else "http/protobuf",
                "OTEL_EXPORTER_OTLP_ENDPOINT": self.url,
                "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization={quote(f'Bearer {self.token}')}",
            }
        outfile = str(self.folder / f"telemetry-{vendor}.log")
        return {"enabled": True, "target": "local", "outfile": outfile, "logPrompts": False}


# client -> the section of its settings, and the keys of which any other value is an export
SECTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claude-code": (
        "env",
        (
            "OTEL_EXPORTER_OTLP_HEADERS",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
            "OTEL_LOGS_EXPORTER",
            "OTEL_EXPORTER_OTLP_PROTOCOL",
        ),
    ),
    "gemini-cli": ("telemetry", ("outfile", "otlpEndpoint", "target", "enabled", "logPrompts")),
    "qwen-code": ("telemetry", ("outfile", "otlpEndpoint", "target", "enabled", "logPrompts")),
}
CLIENTS = (*SECTIONS, "codex")


class WithTelemetry(Around):
    """A file of a client with its telemetry on; `inner` is what else is written into it. With `on`
    False nothing is switched on, and taking hookstream out takes this out as well."""

    def __init__(self, inner: ConfigFile, target: TelemetryTarget, on: bool) -> None:
        super().__init__(inner)
        self.target = target
        self.on = on

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        known = is_ours(self.vendor, self.path, data, self.target)
        changed = self.inner.with_ours(data, wrap)
        if (not self.on and not known) or self.elsewhere(changed):
            return changed
        return switched_on(self.vendor, self.path, changed, self.target)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        rest = switched_off(self.vendor, self.path, data, self.target)
        return self.inner.without_ours(rest, before)

    def elsewhere(self, data: bytes | None) -> str | None:
        """The client's present export, in words; None if it does not export."""
        return exports(self.vendor, self.path, data, self.target)


def with_telemetry(
    files: list[ConfigFile], vendor: str, target: TelemetryTarget | None
) -> list[ConfigFile]:
    """The files of a client with its telemetry switched on, or known if it is on already. It is
    set in the last of them: Codex has it next to notify, the others next to their hooks."""
    if vendor not in CLIENTS:
        return files
    known = target or TelemetryTarget(DEFAULT_URL, token(), outfiles(), not reads_protobuf())
    if target is None and not has_ours(files[-1], known):
        return files
    return [*files[:-1], WithTelemetry(files[-1], known, target is not None)]


def has_ours(file: ConfigFile, target: TelemetryTarget) -> bool:
    """Return whether the client's telemetry was switched on by hookstream."""
    try:
        return is_ours(file.vendor, file.path, atomic.read(file.path), target)
    except FileRefused:
        return False  # whoever changes the file says what is wrong with it


def token() -> str:
    """The collector's token, by which what it wrote is known; empty if it does not exist yet."""
    state = state_folder()
    with contextlib.suppress(OSError):
        if state is not None:
            return Path(state, "collector.token").read_text("ascii", "replace").strip()
    return ""


def reads_protobuf() -> bool:
    """Return whether the collector of this installation does."""
    from hookstream.otlp.protobuf import request_class

    try:
        return request_class("logs") is not None
    except ImportError:
        return False


def outfiles() -> Path:
    """The folder for telemetry that a client writes into a file."""
    return Path(state_folder() or ".", "telemetry")


def exports(vendor: str, path: Path, data: bytes | None, target: TelemetryTarget) -> str | None:
    """The destination in a file of telemetry that is not hookstream's."""
    if vendor == "codex":
        otel = _toml(path, data).get("otel")
        if not isinstance(otel, dict) or is_ours(vendor, path, data, target):
            return None
        return f"[otel] in {path}"
    name, keys = SECTIONS[vendor]
    section = _section(path, data, name)
    if is_ours(vendor, path, data, target):
        return None
    found = next((key for key in keys if section.get(key) not in (None, False)), None)
    return f"{name}.{found} in {path}" if found else None


def is_ours(vendor: str, path: Path, data: bytes | None, target: TelemetryTarget) -> bool:
    """Return whether the file's telemetry is what hookstream wrote."""
    if vendor == "codex":
        return BLOCK.search(decoded(path, data)[1]) is not None
    name, keys = SECTIONS[vendor]
    return bool(_section(path, data, name).get(keys[0]) == target.values(vendor)[keys[0]])


def switched_on(vendor: str, path: Path, data: bytes | None, target: TelemetryTarget) -> bytes:
    mark, text = decoded(path, data)
    if vendor == "codex":
        text = BLOCK.sub("", text)
        headers = f'{{ authorization = "Bearer {target.token}" }}'
        encoding = "json" if target.json else "binary"
        where = f'endpoint = "{target.url}/v1/logs", protocol = "{encoding}"'
        http = f"{{ {where}, headers = {headers} }}"
        lines = [
            "",
            "# telemetry to hookstream's collector",
            "[otel]",
            f"exporter = {{ otlp-http = {http} }}",
            "log_user_prompt = false",
            "",
        ]
        newline = "\r\n" if "\r\n" in text else "\n"
        whole = text + ("" if not text or text.endswith("\n") else newline) + newline.join(lines)
        _toml(path, encoded(mark, whole))
        return encoded(mark, whole)
    name, _ = SECTIONS[vendor]
    values = target.values(vendor)
    document = _document(path, text or "{}\n")
    section = document.root.get(name)
    if section is None:
        document.insert(document.root, [(name, values)])
        return encoded(mark, document.result())
    if section.kind != "object":
        raise FileRefused(f"{path}: left alone, {name} is not an object")
    for key, value in values.items():
        node = section.get(key)
        if node is not None and node.plain() != value:
            document.replace(node, value)
    new = [(key, value) for key, value in values.items() if section.get(key) is None]
    document.insert(section, list(new))
    return encoded(mark, document.result())


def switched_off(vendor: str, path: Path, data: bytes, target: TelemetryTarget) -> bytes:
    mark, text = decoded(path, data)
    if not is_ours(vendor, path, data, target):
        return data
    if vendor == "codex":
        return encoded(mark, BLOCK.sub("", text))
    name, _ = SECTIONS[vendor]
    ours = target.values(vendor)
    document = _document(path, text)
    section = document.root.get(name)
    if section is None:
        return data
    items = [item for item in section.items if item.key in ours]
    if len(items) == len(section.items):
        document.remove(document.root, [one for one in document.root.items if one.key == name])
    else:
        document.remove(section, items)
    return encoded(mark, document.result())


def _document(path: Path, text: str) -> Document:
    try:
        document = Document(text)
    except BrokenDocument as error:
        raise FileRefused(f"{path}: left alone, no valid JSON: {error}") from None
    if document.root.kind != "object":
        raise FileRefused(f"{path}: left alone, holds no object")
    return document


def _section(path: Path, data: bytes | None, name: str) -> dict[str, Any]:
    text = decoded(path, data)[1]
    if not text.strip():
        return {}
    found = _document(path, text).root.plain()
    section = found.get(name) if isinstance(found, dict) else None
    return section if isinstance(section, dict) else {}


def _toml(path: Path, data: bytes | None) -> dict[str, Any]:
    try:
        return tomllib.loads(decoded(path, data)[1])
    except tomllib.TOMLDecodeError as error:
        raise FileRefused(f"{path}: left alone, no valid TOML: {error}") from None
