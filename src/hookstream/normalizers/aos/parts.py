"""Parts of messages, files among them, artifacts and citations: text is content, the rest is kept
by name, type and digest (the privacy stage makes digests of everything under `content`)."""

from __future__ import annotations

from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]

# How many files, artifacts and citations are kept of one message.
PARTS = 64


def text_of(part: Any) -> str | None:
    """The text of a part of AOS, A2A or MCP ({text}) or of ACS ({value}); None for another part."""
    if type(part) is dict:
        if part.get("kind", part.get("type", "text")) not in ("text", None):
            return None
        part = part.get("text", part.get("value"))
    return part if type(part) is str else None


def joined_text(parts: Any) -> Any:
    """The text of parts that are all texts, a line each; anything else stays as it is."""
    if type(parts) is not list:
        return parts or None
    texts = [text_of(part) for part in parts]
    if None in texts:
        return parts or None
    return "\n".join(text for text in texts if text) or None


def message_text(parts: Any) -> Any:
    """The text parts of a message in their order, a line each; where it has none, the parts."""
    if type(parts) is not list:
        return parts or None
    texts = [text for part in parts if (text := text_of(part))]
    return "\n".join(texts) or parts or None


def first(node: Json, *names: str) -> Any:
    return next((node[name] for name in names if node.get(name) not in (None, "")), None)


def file_of(part: Any) -> Json | None:
    """A part that is not text: its kind, and its bytes or data as content."""
    if type(part) is not dict or text_of(part) is not None:
        return None
    node = part.get("file")
    node = node if type(node) is dict else part
    facts = {
        "kind": first(part, "kind", "type"),
        "name": first(node, "name", "filename"),
        "mime_type": first(node, "mimeType", "mime_type", "mediaType"),
        "uri": first(node, "uri", "fileWithUri", "url"),
        "content": first(node, "bytes", "fileWithBytes", "data", "raw"),
    }
    kept = {name: value for name, value in facts.items() if value not in (None, "", [], {})}
    return kept or None


def files_of(parts: Any) -> list[Json]:
    """The parts of a message that are not text."""
    rows = parts[:PARTS] if type(parts) is list else ()
    return [file for part in rows if (file := file_of(part)) is not None]


def artifacts_of(task: Any) -> list[Json]:
    """The artifacts of an A2A task or update: name, and their texts and files as content."""
    rows = task.get("artifacts") if type(task) is dict else None
    if type(task) is dict and type(task.get("artifact")) is dict:
        rows = [task["artifact"]]
    found = []
    for row in rows[:PARTS] if type(rows) is list else ():
        if type(row) is not dict:
            continue
        kept = {
            "artifact_id": first(row, "artifactId", "artifact_id", "id"),
            "name": row.get("name"),
            "text": text if type(text := message_text(row.get("parts"))) is str else None,
            "files": files_of(row.get("parts")),
        }
        found.append({name: value for name, value in kept.items() if value not in (None, "", [])})
    return [kept for kept in found if kept]


def host_of(url: Any) -> str | None:
    """The host of a URL, without who logs in there."""
    from hookstream.shell.addresses import url_of

    address = url_of(url) if type(url) is str else None
    return address.host if address else None


def cited_hosts(p: Json, *paths: str) -> list[str]:
    """The hosts of the sources that an answer cites, each once."""
    urls = [url for source in _cited(p, paths) for url in (source.get("url"), source.get("uri"))]
    return list(dict.fromkeys(host for url in urls if (host := host_of(url))))


def cited_files(p: Json, *paths: str) -> list[str]:
    """The names of the files that an answer cites."""
    names = [source.get("name") for source in _cited(p, paths) if not host_of(source.get("url"))]
    return list(dict.fromkeys(name for name in names if type(name) is str and name))


def _cited(p: Json, paths: tuple[str, ...]) -> list[Json]:
    lists = [value for path in paths if type(value := at(p, path)) is list]
    rows = [{"url": one} if type(one) is str else one for value in lists for one in value[:PARTS]]
    return [row for row in rows if type(row) is dict]
