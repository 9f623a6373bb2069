"""Which witness provides which fact, client by client, as seen in recordings.

yes: it proves the fact alone. partly: without proof, or without an id, or only with a switch for
content. no: it is not there. Hooks, session file, telemetry; None if the witness does not exist.
"""

from __future__ import annotations

FACTS = (
    "prompt", "call", "outcome", "exit code", "deny", "deny by whom", "approval", "compaction",
    "sub-agent", "tokens", "final model error",
)  # fmt: skip
WORDS = {"y": "yes", "p": "partly", "n": "no", "-": "none"}
# client -> a word of three letters per fact, in the order of FACTS
PROOFS: dict[str, str] = {
    "claude-code": "yyp yyy yyy ppn pyy pyp nyy yyy yyy nyy pyy",
    "codex": "yyy yyy nyy nyp nyp nyp pny yyn yyp yyy yyp",
    "gemini-cli": "yyp yyy pyp ppn nyy nyy pnp nyy nyy pyy nny",
    "qwen-code": "yyy yyy yyy nyp yyy ppy pyp yyy yyy nyy nyy",
    "copilot": "yyp yyp pyy pyy nyy nyp pyp pyy yyy nyy yyy",
    "cline": "nyp yyp yyn ppn ppn ppn nnn nnn ypy nyy ypp",
    "opencode": "yyn yyp yyp yyp ppp ppp ynp yyp yyn yyp yyy",
    "kimi-code": "yy- yy- py- py- pp- pp- yy- yy- py- ny- yy-",
    "mistral-vibe": "ny- py- yy- yy- py- ny- ny- np- nn- ny- np-",
    "pi": "yy- yy- yy- yy- yp- yp- nn- py- nn- yy- pp-",
    "openclaw": "yy- yy- yy- yy- yy- yy- nn- nn- yy- yy- yy-",
    "cursor": "yyn yyn ynn nnn ynn ynn nnn pnn nyn pnn ynn",
    "auggie": "yy- yy- yy- yy- py- py- nn- -y- pn- ny- nn-",
    "devin": "y-- y-- y-- y-- p-- n-- n-- y-- p-- n-- n--",
    "antigravity": "n-- y-- y-- n-- p-- n-- n-- n-- p-- n-- p--",
    "aos": "y-p y-p y-y n-n y-y y-y n-n y-y y-y n-n n-n",
    "continue": "-y- -y- -p- -p- -y- -y- -n- -p- -p- -y- -n-",
    "n8n": "-pp -pp -yn -nn -nn -nn -nn -nn -pn -yy -yy",
    "glean": "-p- -n- -n- -n- -n- -n- -n- -n- -n- -n- -n-",
    "zapier": "-n- -n- -n- -n- -n- -n- -n- -n- -n- -n- -n-",
}
# Reasons for a client's entries that do not come from its files.
REMARKS = {
    "aos": "AOS and ACS as specified, no recording; telemetry: the Trace profile of ACS, whose "
    "spans hold no prompt, no arguments, no result and no id of a call",
    "auggie": "a refusal by a hook is in the session file alone; a sub-agent's calls are in hooks "
    "alone, under a conversation without a parent",
    "devin": "as documented and published, no recording; session files are not read",
    "antigravity": "as documented and published, no recording; session files are not read",
    "continue": "a shell command without output on its standard error is `done` whatever its exit "
    "code; a compaction removes from the file what it sums up",
    "n8n": "session file: stored executions; telemetry: the event log, where a failed tool is "
    "finished like any other",
    "glean": "as documented, no recording: that agents ran, for whom and whether they failed",
    "zapier": "not read: its audit log is documented as changes of configuration only, nothing in "
    "it tells of a tool call",
}
KINDS = ("hooks", "session file", "telemetry")


def proofs(client: str | None = None) -> list[dict[str, str]]:
    """One row a client and fact: what each witness proves of it."""
    found = []
    for name, words in PROOFS.items():
        if client not in (None, name):
            continue
        for fact, letters in zip(FACTS, words.split(), strict=True):
            said = {kind: WORDS[letter] for kind, letter in zip(KINDS, letters, strict=True)}
            found.append({"vendor": name, "fact": fact, **said})
            if client is not None and name in REMARKS:
                found[-1]["note"] = REMARKS[name]
    return found
