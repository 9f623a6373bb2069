"""Gemini CLI, 0.61: 11 hook events in a vendor vocabulary, snake_case fields.

Source: the vendor's hooks reference, the client's published source, and recordings of 0.61.0.
No payload has a call id, an approval mode or an agent id, and a refused call leaves no trace.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.gemini_cli import calls
from hookstream.normalizers.gemini_cli.wording import SHELL, mcp
from hookstream.normalizers.index import keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload


@t.reads("llm_request.messages")
def message_count(p: Payload) -> int | None:
    messages = t.at(p, "llm_request.messages")
    return len(messages) if type(messages) is list else None


@t.reads("llm_response.candidates")
def finish_reason(p: Payload) -> Any:
    """Only the last chunk of a streamed response has one."""
    candidates = t.at(p, "llm_response.candidates")
    for candidate in candidates if type(candidates) is list else ():
        if type(candidate) is dict and candidate.get("finishReason"):
            return candidate["finishReason"]
    return None


def is_last_chunk(p: Payload) -> bool:
    return finish_reason(p) is not None


plan_type = t.plan_of("tool_input.agent_name")


def claims(p: Payload) -> bool:
    """Eight event names are its own; of those it shares, the ones in its words, or next to a
    session file in its folder."""
    name = p.get("hook_event_name")
    if not is_like(p) or name not in SESSION_WORDS:
        return is_like(p)
    path = p.get("transcript_path")
    key, shared, own = SESSION_WORDS[name]
    if type(path) is str and (keeper(p) is not None or p.get(key) in shared):
        return True
    return p.get(key) in own


def is_like(p: Payload) -> bool:
    """Return whether a payload can be Gemini CLI's: a time, and no approval mode where it shares
    the event's name."""
    name = p.get("hook_event_name")
    if type(p.get("session_id")) is not str or type(p.get("timestamp")) is not str:
        return False
    if type(name) is not str or name not in EVENTS:
        return False
    return name not in SESSION_WORDS or (
        "permission_mode" not in p and keeper(p) in (None, VENDOR.key)
    )


# Where these events say what they are about; words that only Copilot lacks, which always has
# another or no session file; words that no other client has.
SESSION_WORDS: dict[Any, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "SessionStart": ("source", ("startup", "resume", "clear"), ()),
    "SessionEnd": ("reason", ("clear", "logout", "prompt_input_exit", "other"), ("exit",)),
    "Notification": ("notification_type", (), ("ToolPermission",)),
}
SEARCH = t.Tool("search_files", "other", query="pattern", file_path=("dir_path", "path"))
TOOLS = {
    SHELL: t.shell(),
    "read_file": t.read(("file_path", "absolute_path")),
    "read_many_files": t.read(("include", "paths")),
    "list_directory": t.Tool("list_files", "other", file_path=("dir_path", "path")),
    "glob": SEARCH,
    "grep_search": SEARCH,
    "search_file_content": SEARCH,
    "write_file": t.write(),
    "replace": t.edit(),
    "web_fetch": t.fetch(),
    "google_web_search": t.search(),
    "read_mcp_resource": t.Tool("mcp:read_mcp_resource", "mcp_call", url="uri"),
    "list_mcp_resources": t.Tool("mcp:list_mcp_resources", "mcp_call"),
    "invoke_agent": t.delegate(),
    "codebase_investigator": t.Tool("delegate", "delegate", content=("objective",)),
    "complete_task": t.Tool("other", "other", content=("result",)),
    "activate_skill": t.Tool("skill", "other"),
    "save_memory": t.Tool("other", "other", content=("fact",)),
    "write_todos": t.Tool("other", "other", content=("todos",)),
    "ask_user": t.Tool("other", "other", content=("questions",)),
    "enter_plan_mode": t.Tool("other", "other", content=("reason",)),
    "exit_plan_mode": t.Tool("other", "other", file_path=("plan_filename", "plan_path")),
    "update_topic": t.Tool("other", "other", content=("title", "summary", "strategic_intent")),
}

COMMON: t.Facts = {
    "session_id": "session_id",
    "transcript_path": ("transcript_path",),  # an empty one counts as absent
    "cwd": "cwd",
    "timestamp": "timestamp",
}
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "query": calls.url_in_prompt,
    "mcp_server": calls.mcp_server,
    "server_command": calls.server_command,
}
CALL_KEEP = (
    "original_request_name",
    "mcp_context.url",
    "mcp_context.cwd",
    "mcp_context.tcp",
)
SUB_AGENT: t.Facts = {"plan_type": plan_type, "agent_type": "tool_input.agent_name"}

EVENTS: t.Events = {
    "SessionStart": t.Row(
        "Session.Start",
        {
            "start_reason": t.Words(
                "source", {"startup": "new", "resume": "resume", "clear": "restart"}, "new"
            )
        },
    ),
    "SessionEnd": t.Row(
        "Session.End",
        {"end_reason": t.Words("reason", {"clear": "manual_reset"}, "exit")},
        note="the terminal client fires it up to three times for one end",
    ),
    "BeforeAgent": (
        t.Row(
            "Prompt.Submitted",
            {"prompt": "prompt"},
            when=t.is_not_word("prompt", "", None),
            note="after a hook rejected an answer its reason arrives here as the prompt; only"
            " stop_hook_active on the AfterAgent that follows tells",
        ),
        t.Row(
            "vendor.gemini-cli.BeforeAgent",
            when=t.is_word("prompt", "", None),
            note="without a prompt: nobody typed it",
        ),
    ),
    "AfterAgent": t.Row(
        "Agent.Response",
        {"response": "prompt_response", "prompt": "prompt", "final": t.Const(True)},
        keep="stop_hook_active",
        note="the text repeats chunks and joins a rejected answer with its successor; the prompt"
        " is the person's, also where a hook's reason was the last to arrive as one",
    ),
    "BeforeModel": t.Row(
        "Model.Requested",
        {
            "model_id": "llm_request.model",
            "request": "llm_request.messages",
            "message_count": message_count,
        },
        ignore="llm_request.config llm_request.toolConfig",
        note="once an attempt: a retried request fires it again",
    ),
    "BeforeToolSelection": t.Ignore("repeats the BeforeModel of the same request"),
    "AfterModel": (
        t.Row(
            "Model.Responded",
            {
                "model_id": "llm_request.model",
                "response": "llm_response.text",
                "stop_reason": finish_reason,
                "input_tokens": "llm_response.usageMetadata.promptTokenCount",
                "output_tokens": "llm_response.usageMetadata.candidatesTokenCount",
            },
            when=is_last_chunk,
            keep="llm_response.usageMetadata.totalTokenCount",
            ignore="llm_request",
            note="once a chunk; the last one has the counts, and only its own part of the text",
        ),
        t.Ignore("stream chunk"),
    ),
    "BeforeTool": (
        t.Row("Action.Before", CALL, keep=CALL_KEEP),
        t.Row(
            "Agent.Plan.Start",
            {**SUB_AGENT, "task": "tool_input.prompt"},
            when=t.is_word("tool_name", "invoke_agent"),
            note="a sub-agent has no events of its own, this call brackets it",
        ),
    ),
    "AfterTool": (
        t.Row(
            "Action.After",
            {
                **CALL,
                **t.end_of(calls.part),
                "error_code": "tool_response.error.type",
                "output": calls.output,
            },
            keep=CALL_KEEP,
        ),
        t.tool_failed(
            CALL,
            when=calls.failed,
            error_code="tool_response.error.type",
            error_message=calls.part("message"),
        ),
        t.Row(
            "Agent.Plan.End",
            {
                **SUB_AGENT,
                "response": ("tool_response.returnDisplay.result", "tool_response.llmContent"),
                "stop_reason": "tool_response.returnDisplay.terminateReason",
            },
            when=t.is_word("tool_name", "invoke_agent"),
        ),
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": "notification_type",
            "message": "message",
            "action_native": calls.asked_tool,
            "command": "details.command",
            "file_path": "details.filePath",
            "url": calls.asked_url,
            "mcp_server": "details.serverName",
        },
        keep="details.type details.title",
        # The contents of an edit are in the BeforeTool before it.
        ignore=(
            "details.rootCommand details.rootCommands details.commands details.fileName "
            "details.fileDiff details.originalContent details.newContent details.isModifying "
            "details.toolDisplayName details.prompt"
        ),
    ),
    "PreCompress": (
        t.Row(
            "Context.Compaction",
            {"context_trigger": "trigger", "context_phase": t.Const("before")},
            hook_point="PreCompact",
            when=t.is_word("trigger", "manual"),
        ),
        t.Row(
            "vendor.gemini-cli.PreCompress",
            {"context_trigger": "trigger"},
            when=t.is_not_word("trigger", "manual"),
            note="fires before the threshold check of nearly every model call",
        ),
    ),
}

VENDOR = t.Vendor(
    "gemini-cli",
    capabilities=Capabilities(
        silence_means="refused",
        turn_goes_on=True,
        confirms_compactions=False,
        answers_name_prompts=True,
        pairs_lone=True,
        file_name_has=8,
        waits_for_answer=True,
    ),
    claims=claims,
    host=is_like,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
)
