"""Channels of alerts: chat and mail get one message, sinks one Policy event per finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from hookstream.core.errors import SinkError
from hookstream.delivery.credentials import known, open_at
from hookstream.rules.load import LEVELS
from hookstream.sinks.http import HttpClient, Unreachable, meaning
from hookstream.standards.rendered import Rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookstream.alerts.settings import Alert
    from hookstream.rules.findings import Finding

# Findings that a message spells out; the rest is counted.
SPELT = 20
PLACES = (
    "finding_id",
    "event_id",
    "session_id",
    "machine_id",
    "user_id",
    "tool",
    "rule",
    "rule_id",
)


def send(alert: Alert, findings: Sequence[Finding]) -> None:
    """Send what is new. SinkError, in one line, if the far end did not take it."""
    options = known(alert.options)
    grave = sorted(findings, key=lambda one: -LEVELS.index(one.level))
    kind = alert.to.partition(":")[0]
    if kind == "slack":
        _chat(alert, grave, options)
    elif kind == "mailto":
        _mail(alert, grave, options)
    else:
        _sink(alert, grave, options)


def _sink(alert: Alert, findings: Sequence[Finding], options: dict[str, Any]) -> None:
    options.setdefault("standard", "agent-hooks")
    sink = open_at(alert.to, **options)
    try:
        receipts = sink.write([Rendered(one.event()) for one in findings])
        left = [one for one in receipts if one.status != "delivered"]
        if left:
            raise SinkError(f"{sink.uri}: {left[0].reason or left[0].status}")
        sink.flush()
    finally:
        sink.close()


def _chat(alert: Alert, findings: Sequence[Finding], options: dict[str, Any]) -> None:
    """One message in the shape that Slack's incoming webhooks take (Mattermost and others too)."""
    url = alert.to.partition(":")[2]
    client = HttpClient("slack", url, **options)
    lines = [f"*{escaped(alert.name)}*: {len(findings)} new"]
    for one in findings[:SPELT]:
        link = linked(alert, one)
        title = escaped(one.title)
        head = f"<{link}|{title}>" if link else title
        lines.append(f"• *{one.level}* {head} {escaped(where(one))}")
        if one.shown:
            lines.append(f"> {escaped(one_line(one.shown))}")
    lines += rest(findings)
    body = json.dumps({"text": "\n".join(lines)}).encode()
    try:
        receipt = meaning(client.post(body, "application/json"))
    except Unreachable as error:
        raise SinkError(f"slack: {error}") from None
    finally:
        client.close()
    if receipt.status != "delivered":
        raise SinkError(f"slack: {receipt.reason or receipt.status}")


def _mail(alert: Alert, findings: Sequence[Finding], options: dict[str, Any]) -> None:
    import smtplib
    import ssl
    from email.message import EmailMessage

    host, port = options.pop("host", "localhost"), int(options.pop("port", 25))
    user, password = options.pop("user", None), options.pop("password", None)
    secure = bool(options.pop("starttls", password is not None))
    message = EmailMessage()
    message["From"] = options.pop("from", "hookstream@localhost")
    message["To"] = alert.to.partition(":")[2]
    message["Subject"] = one_line(f"[{findings[0].level}] {alert.name}: {len(findings)} new", 150)
    if options:
        raise SinkError(f"mailto: no option {sorted(options)[0]!r}")
    message.set_content(
        "\n".join([*(paragraph(alert, one) for one in findings[:SPELT]), *rest(findings)])
    )
    try:
        with smtplib.SMTP(host, port, timeout=20) as server:
            if secure:
                server.starttls(context=ssl.create_default_context())
            if user is not None:
                server.login(user, password or "")
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        said = getattr(error, "strerror", None) or type(error).__name__
        raise SinkError(f"mailto: {host}:{port}: {said}") from None


def paragraph(alert: Alert, one: Finding) -> str:
    lines = [f"{one.level}: {one.title}", f"  {where(one)}"]
    if one.shown:
        lines.append(f"  {one_line(one.shown)}")
    link = linked(alert, one)
    return "\n".join([*lines, *([f"  {link}"] if link else []), ""])


def where(one: Finding) -> str:
    when = one.timestamp.isoformat(sep=" ", timespec="seconds") + "Z" if one.timestamp else ""
    names = (("machine", one.machine_id), ("user", one.user_id), ("session", one.session_id))
    said = [f"{name} {one_line(value, 60)}" for name, value in names if value]
    return " ".join(part for part in (when, one.tool or "", *said) if part)


def rest(findings: Sequence[Finding]) -> list[str]:
    more = len(findings) - SPELT
    return [f"and {more} more"] if more > 0 else []


def linked(alert: Alert, one: Finding) -> str:
    """The alert's link with its places filled in, each quoted; or the page of the ui."""
    if alert.ui:
        return f"{alert.ui}{_page(alert, one)}"
    link = alert.link
    for name in PLACES:
        link = link.replace("{" + name + "}", quote(str(getattr(one, name) or ""), safe=""))
    return link


def _page(alert: Alert, one: Finding) -> str:
    """The address of a finding in the ui, or of the question's rows about its session."""
    if alert.question is None:
        return f"/findings?{urlencode({'finding_id': one.finding_id})}"
    places = {"session": one.session_id, "machine": one.machine_id}
    query = urlencode({name: value for name, value in places.items() if value})
    return f"/q/{alert.question}" + (f"?{query}" if query else "")


def one_line(text: str, most: int = 300) -> str:
    shown = "".join(char if char.isprintable() else " " for char in text)
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def escaped(text: str) -> str:
    """The text with a chat's markup escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
