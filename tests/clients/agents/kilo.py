"""Kilo, over chat completions: OpenCode's plugin under other names."""

from pathlib import Path

from clients.agents.base import Keys, Payload
from clients.agents.opencode import OpenCode


class Kilo(OpenCode):
    name = "kilo"
    settings = ".config/kilo/kilo.json"
    hook_files = (".config/kilo/plugin/*.js",)
    events = (*OpenCode.events, "message.part.removed", "permission.asked")

    def seen(self, event: str, payload: Payload) -> Keys:
        if event == "permission.asked":
            return [(event, payload["event"]["properties"]["tool"]["callID"])]
        state = payload.get("event", {}).get("properties", {}).get("part", {}).get("state", {})
        if state.get("status") == "error" and "approval" not in state.get("metadata", {}):
            return []  # a refusal, which is no event of a call
        return super().seen(event, payload)

    def own_environment(self, home: Path) -> dict[str, str]:
        off = "AUTOUPDATE MODELS_FETCH LSP_DOWNLOAD SHARE SESSION_INGEST PRESENCE CODEBASE_INDEXING"
        return {
            **{f"KILO_DISABLE_{name}": "1" for name in off.split()},
            "KILO_TELEMETRY_LEVEL": "off",
            "KILO_NO_DAEMON": "1",
            "npm_config_offline": "true",
            "npm_config_fetch_retries": "0",
        }
