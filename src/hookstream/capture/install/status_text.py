"""The status as text for a terminal."""

from __future__ import annotations

from collections import Counter

from hookstream.core.jsons import JsonObject


def table(report: JsonObject, events: bool, absent: bool) -> str:
    """A block for the log and one for each client; `events` lists each event, `absent` also
    shows clients that are neither here nor registered."""
    log = report["log"]
    lines = [f"log: {log['path'] or '-'}, {size(log['bytes'])}, {last(log['last_event'])}"]
    if log["problem"]:
        lines.append(f"  problem: {log['problem']}")
    agents = report["agents"]
    count = Counter(gap for agent in agents for gap in set(agent["gaps"]))
    for agent in agents:
        if absent or agent["client"]["found"] or agent["registered"] or agent["gaps"]:
            lines += ["", *_agent(agent, events)]
            own = [gap for gap in dict.fromkeys(agent["gaps"]) if count[gap] == 1]
            lines += [f"  gap: {gap}" for gap in own]
    for gap in (gap for gap, number in count.items() if number > 1):
        names = [agent["vendor"] for agent in agents if gap in agent["gaps"]]
        lines += ["", f"gap of {', '.join(names)}: {gap}"]
    silent = [
        agent["vendor"]
        for agent in agents
        if agent["registered"] and not any(event["last_seen"] for event in agent["events"])
    ]
    if silent:
        what = "no event yet: use each once, then run hookstream status again"
        lines += ["", f"{', '.join(silent)}: {what}"]
    for delivery in report["deliveries"]:
        lines += ["", *_delivery(delivery)]
    if report["errors"]:
        lines += ["", f"errors of the hook program, the last {len(report['errors'])}:"]
        lines += ["  " + _error(error) for error in report["errors"]]
    return "\n".join(lines) + "\n"


def deliveries(found: list[JsonObject]) -> str:
    """A block for each delivery."""
    return "".join("\n".join(_delivery(one)) + "\n" for one in found)


def _agent(agent: JsonObject, events: bool) -> list[str]:
    client = agent["client"]
    version = f" {client['version']}" if client["version"] else ""
    where = "" if client["found"] else ", not found here"
    there = [event for event in agent["events"] if event["registered"]]
    times = [event["last_seen"] for event in agent["events"] if event["last_seen"]]
    scopes = ", ".join(agent["registered"])
    state = f"{len(there)} events registered ({scopes})" if there else "not registered"
    lines = [
        f"{agent['vendor']}: {agent['title']}{version}{where}; {state}; "
        f"{last(max(times, default=None))}"
    ]
    if events:
        width = max(len(event["event"]) for event in agent["events"])
        for event in agent["events"]:
            how = ", ".join(event["registered"]) or event["left_out"] or "-"
            seen = event["last_seen"] or "-"
            lines.append(f"  {event['event']:{width}}  {seen:24}  {how}")
    wrapped = sum(file["wrapped"] for file in agent["files"])
    if wrapped:
        lines.append(f"  wrapped: {wrapped} hooks of others")
    lines += [f"  problem: {file['problem']}" for file in agent["files"] if file["problem"]]
    if agent["errors"]:
        lines.append(f"  errors: {agent['errors']}")
    return lines


def _stream(delivery: JsonObject) -> list[str]:
    """A consumer of a broker, a line for each partition."""
    running = "running" if delivery["running"] else "not running"
    lines = [f"delivery {delivery['folder']}: {delivery['source']}, {running}"]
    for name, one in delivery["partitions"].items():
        lag = "an unknown number" if one["lag"] is None else one["lag"]
        text = f"  {name}: at {one['offset']}, {lag} behind"
        if one.get("dead"):
            text += f", {one['dead']} refused"
        lines.append(f"{text}; {one['last_error']}" if one.get("last_error") else text)
    return lines


def _delivery(delivery: JsonObject) -> list[str]:
    if "partitions" in delivery:
        return _stream(delivery)
    running = "running" if delivery["running"] else "not running"
    lines = [f"delivery {delivery['folder']}: {running}, {delivery['records']} records"]
    for name, sink in delivery["sinks"].items():
        text = f"  {name}: {sink.get('delivered', 0)} delivered, {sink['undelivered']} waiting"
        if sink.get("oldest_undelivered_s"):
            text += f", the oldest for {sink['oldest_undelivered_s']:.0f} s"
        if sink.get("retried"):
            text += f", {sink['retried']} retried"
        if sink.get("dead"):
            text += f", {sink['dead']} refused"
        if sink.get("last_error"):
            text += f"; {sink['last_error']}"
        lines.append(text)
    return lines


def _error(error: JsonObject) -> str:
    words = (error.get(name) for name in ("at", "vendor", "event", "stage", "problem"))
    return " ".join(str(word) for word in words if word)


def last(when: str | None) -> str:
    return f"last event {when}" if when else "no event yet"


def size(count: int) -> str:
    """Bytes for a reader: 512 B, 3.4 KiB, 12.0 MiB."""
    amount = float(count)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.1f} {unit}" if unit != "B" else f"{count} B"
        amount /= 1024
    return f"{amount:.1f} GiB"
