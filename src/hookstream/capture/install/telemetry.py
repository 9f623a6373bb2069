"""Switching a client's own telemetry on, toward the collector or into a file that `run` reads.

What is written is known again by the collector's token, or by the file's place. A client that
already exports somewhere is left alone: a collector of the user's can fan out (docs/telemetry.md).
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hookstream.capture.install import atomic
from hookstream.capture.install.atomic import FileRefused
from hookstream.capture.install.config_file import (
    Around,
    ConfigFile,
    decoded,
    encoded,
    json_object,
    newline_of,
    toml_values,
)
from hookstream.core.folders import state_folder
from hookstream.normalizers.client import Client, TelemetryObject, TelemetryTable

DEFAULT_URL = "http://127.0.0.1:4318"

COMMENT = "# telemetry to hookstream's collector"


class TelemetryTarget:
    """The destination of telemetry: the collector's address and token, the folder for outfiles,
    and whether exports are JSON: a bundle's collector does not read protobuf."""

    def __init__(self, url: str, token: str, folder: Path, json: bool = False) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.folder = folder
        self.json = json

    def filled(self, text: str, client: Client) -> str:
        """A text of a declaration with the target in its places."""
        return text.format(
            url=self.url,
            token=self.token,
            bearer=quote(f"Bearer {self.token}"),
            protocol="http/json" if self.json else "http/protobuf",
            encoding="json" if self.json else "binary",
            outfile=self.folder / f"telemetry-{client.key}.log",
        )

    def values(self, form: TelemetryObject, client: Client) -> dict[str, Any]:
        """The contents of a client's section. Content stays off."""
        return {
            key: self.filled(value, client) if isinstance(value, str) else value
            for key, value in form.values.items()
        }


def block_of(form: TelemetryTable) -> re.Pattern[str]:
    """The table as hookstream writes it, with its comment."""
    return re.compile(
        rf"(?:\r?\n)?{COMMENT}\r?\n\[{form.table}\]\r?\n(?:[a-z_]+ = .*(?:\r?\n|\Z))+"
    )


class ObjectSwitch:
    """Telemetry as an object of a JSON settings file."""

    def __init__(self, form: TelemetryObject, client: Client, target: TelemetryTarget) -> None:
        self.form = form
        self.values = target.values(form, client)

    def is_ours(self, path: Path, data: bytes | None) -> bool:
        """Return whether the file's telemetry is what hookstream wrote."""
        key = self.form.keys[0]
        return bool(_section(path, data, self.form.section).get(key) == self.values[key])

    def exports(self, path: Path, data: bytes | None) -> str | None:
        """The destination in a file of telemetry that is not hookstream's."""
        section = _section(path, data, self.form.section)
        keys = (key for key in self.form.keys if section.get(key) not in (None, False))
        key = None if self.is_ours(path, data) else next(keys, None)
        return f"{self.form.section}.{key} in {path}" if key else None

    def switched_on(self, path: Path, data: bytes | None) -> bytes:
        mark, text = decoded(path, data)
        document = json_object(path, text or "{}\n")
        section = document.root.get(self.form.section)
        if section is None:
            document.insert(document.root, [(self.form.section, self.values)])
            return encoded(mark, document.result())
        if section.kind != "object":
            raise FileRefused(f"{path}: left alone, {self.form.section} is not an object")
        for key, value in self.values.items():
            node = section.get(key)
            if node is not None and node.plain() != value:
                document.replace(node, value)
        new = [(key, value) for key, value in self.values.items() if section.get(key) is None]
        document.insert(section, list(new))
        return encoded(mark, document.result())

    def switched_off(self, path: Path, data: bytes) -> bytes:
        mark, text = decoded(path, data)
        document = json_object(path, text)
        section = document.root.get(self.form.section)
        if section is None:
            return data
        items = [item for item in section.items if item.key in self.values]
        if len(items) == len(section.items):
            document.remove_member(document.root, self.form.section)
        else:
            document.remove(section, items)
        return encoded(mark, document.result())


class TableSwitch:
    """Telemetry as a table at the end of a TOML settings file."""

    def __init__(self, form: TelemetryTable, client: Client, target: TelemetryTarget) -> None:
        self.form = form
        self.block = block_of(form)
        self.lines = [target.filled(line, client) for line in form.lines]

    def is_ours(self, path: Path, data: bytes | None) -> bool:
        return self.block.search(decoded(path, data)[1]) is not None

    def exports(self, path: Path, data: bytes | None) -> str | None:
        table = toml_values(path, decoded(path, data)[1]).get(self.form.table)
        is_elsewhere = isinstance(table, dict) and not self.is_ours(path, data)
        return f"[{self.form.table}] in {path}" if is_elsewhere else None

    def switched_on(self, path: Path, data: bytes | None) -> bytes:
        mark, text = decoded(path, data)
        text = self.block.sub("", text)
        newline = newline_of(text)
        lines = ["", COMMENT, f"[{self.form.table}]", *self.lines, ""]
        text += ("" if not text or text.endswith("\n") else newline) + newline.join(lines)
        toml_values(path, text)
        return encoded(mark, text)

    def switched_off(self, path: Path, data: bytes) -> bytes:
        mark, text = decoded(path, data)
        return encoded(mark, self.block.sub("", text))


class WithTelemetry(Around):
    """A file of a client with its telemetry on; `inner` is what else is written into it. With `on`
    False nothing is switched on, and taking hookstream out takes this out as well."""

    def __init__(self, inner: ConfigFile, switch: ObjectSwitch | TableSwitch, on: bool) -> None:
        super().__init__(inner)
        self.switch = switch
        self.on = on

    def with_ours(self, data: bytes | None, wrap: bool = False) -> bytes | None:
        is_known = self.switch.is_ours(self.path, data)
        changed = self.inner.with_ours(data, wrap)
        if (not self.on and not is_known) or self.elsewhere(changed):
            return changed
        return self.switch.switched_on(self.path, changed)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes | None:
        is_known = self.switch.is_ours(self.path, data)
        rest = self.switch.switched_off(self.path, data) if is_known else data
        return self.inner.without_ours(rest, before)

    def elsewhere(self, data: bytes | None) -> str | None:
        """The client's present export, in words; None if it does not export."""
        return self.switch.exports(self.path, data)


def with_telemetry(
    files: list[ConfigFile], client: Client, target: TelemetryTarget | None
) -> list[ConfigFile]:
    """The files of a client with its telemetry switched on, or known if it is on already. It is
    set in the last of them, which is the settings file where there are several."""
    form = client.telemetry.switch
    if isinstance(form, str):
        return files
    aim = target or TelemetryTarget(DEFAULT_URL, token(), outfiles(), not reads_protobuf())
    switch = (
        TableSwitch(form, client, aim)
        if isinstance(form, TelemetryTable)
        else ObjectSwitch(form, client, aim)
    )
    if target is None and not has_ours(files[-1], switch):
        return files
    return [*files[:-1], WithTelemetry(files[-1], switch, target is not None)]


def has_ours(file: ConfigFile, switch: ObjectSwitch | TableSwitch) -> bool:
    """Return whether the client's telemetry was switched on by hookstream."""
    try:
        return switch.is_ours(file.path, atomic.read(file.path))
    except FileRefused:
        return False  # whoever changes the file reports what is wrong with it


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


def _section(path: Path, data: bytes | None, name: str) -> dict[str, Any]:
    text = decoded(path, data)[1]
    if not text.strip():
        return {}
    found = json_object(path, text).root.plain()
    section = found.get(name) if isinstance(found, dict) else None
    return section if isinstance(section, dict) else {}
