"""Risk of an Event: a rule table, its factors named, 0 to 100 (docs/risk.md).

Uses only what every privacy mode keeps: command, path, URL, mode, decision and the count of
secrets found. Commands are read as a shell reads them (hookstream.shell). A score is the highest rule that holds plus 5 for each further one, at most 100.
Levels: low under 40, medium under 70, high under 90, else critical (the standard's examples: 5 is
low, 80 high, 95 critical).
"""

from __future__ import annotations

import re
from functools import lru_cache

from hookstream.core.decisions import EVERYTHING, runs_unasked
from hookstream.core.event import Event
from hookstream.core.personal import PERSONAL
from hookstream.shell.effects import RISKS, effects_of

# Only so much of a command line is judged: no rule may take long on a hostile one.
JUDGED = 8192

# A command without one of these words, its quotes taken off, has no effect that is a risk: most are
# judged by this alone, and never parsed (a test holds it to every effect).
TRIGGER = re.compile(
    r"rm\s|\bri\s|\brd\s|-delete|rimraf|mkfs|\bdd\s|/dev/|shred|wipefs|blkdiscard|git|\bbfg|drop|truncate|delete\s|flush|"
    r"db:reset|migrate|db\spush|destroy|kubectl|\b(?:oc|k|aws|az|gh|hub|fly|sls|uv|go|at|su|nc|reg)\s|remove|del\s|erase|"
    r"format\s|helm|curl|wget|\biw?rm?\b|webrequest|restmethod|aria2c|fetch|base64|base32|xxd|iex|invoke|eval|source\s|"
    r"(?:^|[;&|({\s])\.\s|<\(|(?:ba|z|da|k|a|fi|c)?sh\s|pwsh|powershell|exec|tar\s|zip\s|env|cat\s|ncat|netcat|socat|scp|rsync|"
    r"rclone|gsutil|gcloud|azcopy|sftp|\bdig\s|drill|nslookup|\bhost\s|ping\s|resolvectl|sudo|doas|run0|pkexec|runas|gosu|"
    r"chmod|chown|docker|podman|nerdctl|nsenter|crontab|cron|batch|systemctl|service|systemd|launch|autostart|schtasks|"
    r"bashrc|zshrc|profile|zshenv|bash_log|kshrc|config\.fish|hookstream|setenforce|ufw|tables|\bnft\s|kill|spctl|csrutil|"
    r"auditctl|mppreference|netsh|disableAllHooks|AGENT_HOOKS|hooksPath|--no-verify|dangerously|--yolo|husky|SKIP=|index|"
    r"registry|find-links|\bset\b|export|npm|npx|pip|yarn|bun|cargo|gem\s|brew|poetry|composer|apt|dnf|yum|apk|commit|restic|"
    r"kopia|borg|velero|duplicity|vssadmin|wbadmin|wmic|tmutil|zfs|btrfs|lvremove|snapshot|pulumi|cdk|serverless|vagrant|"
    r"terraform|tofu|terragrunt|hcloud|doctl|redis-cli|valkey|python|perl|ruby|node|deno|php|lua",
    re.IGNORECASE,
)
QUOTES = str.maketrans("", "", "'\"\\")
SENSITIVE_PATH = re.compile(
    r"\.ssh(?:/|\\|$)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws/|\.azure/|\.config/gcloud|\.kube/config|"
    r"\.gnupg|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker/config\.json|/etc/(?:shadow|sudoers)|"
    r"(?:^|[/\\\s'\"])\.env(?:\.\w+)?(?:$|[\s'\"])|\.pem(?:$|[\s'\"])|\.p12\b|\.keystore\b|\.kdbx\b|"
    r"credentials\.json|\bsecrets?\.(?:ya?ml|json|toml)\b|\.vault-token|/proc/\w+/environ",
    re.IGNORECASE,
)
POLICY_PATH = re.compile(
    r"\.claude/settings|\.cursor/hooks\.json|\.codex/(?:config\.toml|hooks\.json)|\.gemini/settings|"
    r"\.qwen/settings|\.kimi-code/config\.toml|\.vibe/hooks\.toml|\.pi/(?:agent/)?extensions/|managed-settings\.json|\.clinerules/hooks|hooks\.json$|\.git/hooks/|AGENTS\.md$|"
    r"\.augment/settings|\.devin/(?:hooks|config)|[/\\]devin[/\\]config\.json|"
    r"CLAUDE\.md$|\.cursorrules$",
    re.IGNORECASE,
)
WRITES = frozenset(("file_write", "file_edit", "file_delete", "shell", "package_install"))
ACTION_TYPES = frozenset(("Action.Before", "Action.After"))


def assess(event: Event) -> None:
    """Set `event.risk` of actions, decisions and loops; other Events have none unless they carry
    secrets."""
    hits = _hits(event)
    if not hits:
        if event.type in ACTION_TYPES:
            event.risk = (5, "low", ())
        return
    score = min(100, max(points for _, points in hits) + 5 * (len({f for f, _ in hits}) - 1))
    factors = tuple(sorted({factor for factor, _ in hits}))
    event.risk = (score, level_of(score), factors)


def level_of(score: int) -> str:
    if score < 40:
        return "low"
    if score < 70:
        return "medium"
    return "high" if score < 90 else "critical"


def _hits(event: Event) -> list[tuple[str, int]]:
    facts = event.facts
    hits: list[tuple[str, int]] = []
    if event.redactions and not PERSONAL.issuperset(event.redactions):
        hits.append(("SECRET_PATTERN", 70))
    writes = facts.get("action_category") in WRITES
    command = facts.get("command")
    if command is not None:
        hits += of_command(command[:JUDGED], writes)
    path = facts.get("file_path")
    if path is not None:
        hits += of_path(path[:JUDGED], writes)
    kind = event.type
    if kind in ACTION_TYPES:
        mode = facts.get("permission_mode")
        if mode is not None and runs_unasked(event.vendor, mode) == EVERYTHING:
            hits.append(("BYPASS_MODE", 30))
    elif kind == "Policy.Violation":
        hits.append(("POLICY_VIOLATION", 90))
    elif kind == "Policy.Blocked":
        hits.append(("DENIED", 40))
    elif kind in ("Retry.Loop.Detected", "Retry.Loop.Aborted"):
        hits.append(("RETRY_LOOP", 45))
    if "failure" in facts:
        hits.append(("GUARD_FAILURE", 60))
    return hits


# A command is judged before and after it ran, and again in every retry: most were judged already.
@lru_cache(maxsize=1024)
def of_command(text: str, writes: bool) -> tuple[tuple[str, int], ...]:
    """(factor, points) of a command line; `writes` says that its tool can change files."""
    hits = of_path(text, writes)
    if TRIGGER.search(text.translate(QUOTES)) is None:
        return hits
    return (*(RISKS[name] for name in effects_of(text) if name in RISKS), *hits)


@lru_cache(maxsize=1024)
def of_path(text: str, writes: bool) -> tuple[tuple[str, int], ...]:
    """(factor, points) of the paths in a text."""
    hits = []
    if SENSITIVE_PATH.search(text) is not None:
        hits.append(("CREDENTIAL_PATH", 65))
    if writes and POLICY_PATH.search(text) is not None:
        hits.append(("POLICY_CHANGE", 70))
    return tuple(hits)
