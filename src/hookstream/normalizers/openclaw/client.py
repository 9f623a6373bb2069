"""OpenClaw: a plugin folder of ours, and its entry in openclaw.json (JSON5).

Sources: the plugin documentation in 2026.9.6 and trials with it. Hooks are functions there; those
that may hold up a call are answered with nothing at once.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, ClientSettings, PluginFolder

HOME = Place("$OPENCLAW_STATE_DIR or ~/.openclaw")
SETTINGS = Place(
    "$OPENCLAW_CONFIG_PATH or $OPENCLAW_STATE_DIR/openclaw.json or ~/.openclaw/openclaw.json"
)


def gaps(machine: ClientSettings) -> list[str]:
    """Settings that keep plugins, or hookstream's, from running."""
    plugins = machine.json(SETTINGS.path(machine), json5=True).get("plugins")
    reasons = []
    if isinstance(plugins, dict):
        denied = plugins.get("deny")
        if plugins.get("enabled") is False:
            reasons.append("plugins.enabled is false in openclaw.json: no plugin runs")
        if isinstance(denied, list) and "hookstream" in denied:
            reasons.append("plugins.deny in openclaw.json names hookstream")
    return reasons


CLIENT = Client(
    "openclaw",
    "OpenClaw",
    programs="openclaw",
    traces=(".openclaw",),
    home=HOME,
    recorded="2026.9.6",
    events=tuple(
        "before_model_resolve agent_turn_prepare before_prompt_build before_agent_reply "
        "model_call_started model_call_ended llm_input llm_output before_agent_finalize agent_end "
        "before_compaction after_compaction before_reset inbound_claim channel_pairing_requested "
        "message_received message_sending reply_payload_sending message_sent before_tool_call "
        "after_tool_call tool_result_persist before_message_write session_start session_end "
        "subagent_delivery_target subagent_spawned subagent_progress subagent_ended gateway_start "
        "gateway_stop heartbeat_prompt_contribution cron_reconciled cron_changed "
        "skill_proposal_evaluate skill_proposal_changed skill_changed before_dispatch "
        "reply_dispatch before_install before_agent_run resolve_exec_env".split()
    ),
    note="a running gateway loads the plugin when it is restarted",
    files={
        "user": (
            PluginFolder(
                (
                    "openclaw/openclaw.plugin.json",
                    "openclaw/package.json",
                    "openclaw/index.js",
                    "bridge.js",
                ),
                SETTINGS,
            ),
        ),
    },
    gaps=gaps,
    sessions=(HOME / "agents",),
    proofs="yy- yy- yy- yy- yy- yy- nn- nn- yy- yy- yy-",
    documents="openclaw-agent.sqlite sessions/*.jsonl.reset.* sessions/*.jsonl.deleted.*",
)
