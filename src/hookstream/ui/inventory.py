"""The inventory as a CycloneDX 1.6 bill of materials, through the standard's own library."""

from __future__ import annotations

from typing import Any

from hookstream.core.errors import HookstreamError, extra

KINDS = {"client": "APPLICATION", "model": "MACHINE_LEARNING_MODEL", "plugin": "LIBRARY"}


def bill_of_materials(rows: list[dict[str, Any]]) -> bytes:
    """One component a kind, name and version (a service for MCP servers), with the machines and
    users that have it and its first and last use as properties. HookstreamError where the
    library is not installed."""
    try:
        from cyclonedx.model import Property
        from cyclonedx.model.bom import Bom
        from cyclonedx.model.component import Component, ComponentType
        from cyclonedx.model.service import Service
        from cyclonedx.output.json import JsonV1Dot6
    except ImportError:
        raise HookstreamError(f"CycloneDX: {extra('cyclonedx')}") from None

    bom = Bom()
    for (kind, name, version), uses in _merged(rows).items():
        properties = [Property(name=f"hookstream:{key}", value=value) for key, value in uses]
        reference = f"{kind}:{name}:{version or ''}"
        if kind == "mcp server":
            bom.services.add(Service(name=name, bom_ref=reference, properties=properties))
            continue
        bom.components.add(
            Component(
                name=name,
                version=version,
                type=ComponentType[KINDS.get(kind, "FILE" if "skill" in kind else "LIBRARY")],
                bom_ref=reference,
                properties=[Property(name="hookstream:kind", value=kind), *properties],
            )
        )
    return JsonV1Dot6(bom).output_as_string(indent=2).encode()


def _merged(rows: list[dict[str, Any]]) -> dict[tuple[str, str, str | None], set[tuple[str, str]]]:
    """(kind, name, version) -> properties (machine, user, first and last use)."""
    fields: dict[tuple[str, str, str | None], set[tuple[str, str]]] = {}
    spans: dict[tuple[str, str, str | None], list[Any]] = {}
    for row in rows:
        key = (str(row["kind"]), str(row["name"]), row["version"])
        uses = fields.setdefault(key, set())
        uses |= {(n, str(row[f"{n}_id"])) for n in ("machine", "user") if row[f"{n}_id"]}
        span = spans.setdefault(key, [row["first_seen"], row["last_seen"]])
        span[0], span[1] = min(span[0], row["first_seen"]), max(span[1], row["last_seen"])
    for key, (first, last) in spans.items():
        fields[key] |= {
            ("first_seen", f"{first.isoformat()}Z"),
            ("last_seen", f"{last.isoformat()}Z"),
        }
    return fields
