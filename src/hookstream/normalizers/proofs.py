"""Which witness provides which fact, client by client, as seen in recordings.

yes: it proves the fact alone. partly: without proof, or without an id, or only with a switch for
content. no: it is not there. Hooks, session file, telemetry; None if the witness does not exist.
"""

from __future__ import annotations

from hookstream.normalizers.client import clients

FACTS = (
    "prompt", "call", "outcome", "exit code", "deny", "deny by whom", "approval", "compaction",
    "sub-agent", "tokens", "final model error",
)  # fmt: skip
WORDS = {"y": "yes", "p": "partly", "n": "no", "-": "none"}
# Products without a folder, of which it is known that nothing can be read.
UNREAD = {
    "zapier": (
        " ".join(["-n-"] * len(FACTS)),
        "not read: its audit log is documented as changes of configuration only, nothing in "
        "it tells of a tool call",
    ),
}
# client -> a word of three letters per fact, in the order of FACTS, and a remark
PROOFS: dict[str, tuple[str, str]] = {
    **{client.key: (client.proofs, client.remark) for client in clients() if client.proofs},
    **UNREAD,
}
KINDS = ("hooks", "session file", "telemetry")


def proofs(client: str | None = None) -> list[dict[str, str]]:
    """One row a client and fact: what each witness proves of it."""
    found = []
    for name, (words, remark) in PROOFS.items():
        if client not in (None, name):
            continue
        for fact, letters in zip(FACTS, words.split(), strict=True):
            said = {kind: WORDS[letter] for kind, letter in zip(KINDS, letters, strict=True)}
            found.append({"vendor": name, "fact": fact, **said})
            if client is not None and remark:
                found[-1]["note"] = remark
    return found
