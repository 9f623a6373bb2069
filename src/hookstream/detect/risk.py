"""Risk of an Event: a rule table, its factors named, 0 to 100 (docs/risk.md).

Uses only what every privacy mode keeps: command, path, URL, mode, decision and the count of
secrets found. A score is the highest rule that holds plus 5 for each further one, at most 100.
Levels: low under 40, medium under 70, high under 90, else critical (the standard's examples: 5 is
low, 80 high, 95 critical).
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.event import Event

# Rules of privacy that find people, not secrets (a test holds them equal to privacy.redact.PERSONAL).
PERSONAL = frozenset(
    "br-cpf email es-dni fr-nir iban in-aadhaar payment-card payment-card-amex phone phone-said "
    "phone-us uk-nino us-ssn".split()
)
# Only so much of a command line is judged: no rule may take long on a hostile one.
JUDGED = 8192


def bounded(pattern: str) -> str:
    """The pattern with every repetition bounded, so that no rule backtracks far."""
    for loose, tight in ((r"\w*", r"\w{0,20}"), (r"\S*", r"\S{0,99}"), (r"\S+", r"\S{1,99}")):
        pattern = pattern.replace(loose, tight)
    for loose, tight in ((r"\w+", r"\w{1,20}"), ("]*", "]{0,200}"), (")*", "){0,8}")):
        pattern = pattern.replace(loose, tight)
    return pattern.replace(r"\s+", r"\s{1,20}").replace(r"\s*", r"\s{0,20}")


# factor, score, pattern on the command line; every repetition is bounded when it is compiled
COMMAND_RULES = tuple(
    (factor, score, re.compile(bounded(pattern), re.IGNORECASE))
    for factor, score, pattern in (
        ("DESTRUCTIVE_OP", 85, r"\brm\s+(?:-\w+\s+)*-\w*[rf]\w*\s+(?:-\S+\s+)*[/~*$.]"),
        ("DESTRUCTIVE_OP", 70, r"\brm\s+-\w*r"),
        ("DESTRUCTIVE_OP", 95, r"\bmkfs|\bdd\s[^|;&]*\bof=/dev/|>\s*/dev/[sh]d|\bshred\b|\bwipefs"),
        ("DESTRUCTIVE_OP", 80, r"\bgit\s+(?:push\s+[^|;&]*(?:--force\b|-f\b)|reset\s+--hard|clean\s+-\w*f)"),
        ("DESTRUCTIVE_OP", 85, r"\b(?:drop|truncate)\s+(?:table|database|schema)\b"),
        ("DESTRUCTIVE_OP", 90, r"\b(?:terraform|tofu)\s+destroy|\bkubectl\s+delete\s+(?:ns|namespace|pv|all)"),
        ("DESTRUCTIVE_OP", 80, r"\bRemove-Item\b[^|;&]*-Recurse|\bdel\s+/[sq]|\bformat\s+[a-z]:"),
        ("REMOTE_CODE", 85, r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^;&]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b"),
        ("REMOTE_CODE", 85, r"\b(?:curl|wget)\b[^;&]*\|\s*(?:sudo\s+)?(?:python|perl|ruby|node)\d?\b"),
        ("REMOTE_CODE", 80, r"\bbase64\s+(?:-d|--decode|-D)\b[^;&]*\|\s*(?:ba|z)?sh\b|\biex\b\s*\("),
        ("EXFILTRATION", 85, r"\bcurl\b[^|;&]*\s(?:-d|--data\S*|-F|--form|-T|--upload-file)\s*['\"]?@"),
        ("EXFILTRATION", 80, r"\b(?:cat|tar|zip|env|printenv)\b[^;&]*\|\s*(?:curl|nc|ncat|wget)\b"),
        ("EXFILTRATION", 80, r"\b(?:nc|ncat|socat)\b[^|;&]*<|/dev/tcp/"),
        ("EXFILTRATION", 60, r"\b(?:scp|rsync|sftp)\b[^|;&]*\s\S+@?\S+:"),
        ("PRIVILEGE", 60, r"\bsudo\b|\bsu\s+-|\bdoas\b|\brunas\b"),
        ("PRIVILEGE", 65, r"\bchmod\s+(?:-\w+\s+)*(?:777|a\+rwx|u\+s|[24]7\d\d)\b|\bchown\s+root\b"),
        ("PERSISTENCE", 70, r"\bcrontab\b|\bsystemctl\s+enable\b|\blaunchctl\s+load\b|\bschtasks\b"),
        ("PERSISTENCE", 70, r">>?\s*~?\S*/?\.(?:bashrc|zshrc|profile|bash_profile|zprofile)\b"),
        ("POLICY_CHANGE", 75, r"\bhookstream\s+uninstall\b|\bsetenforce\s+0|\bufw\s+disable|\biptables\s+-F"),
        ("BYPASS", 70, r"--no-verify\b|--dangerously-\S+|--yolo\b|\bdangerouslyDisableSandbox\b"),
        ("SUPPLY_CHAIN", 50, r"\b(?:pip3?|npm|pnpm|yarn)\b[^|;&]*\s(?:--index-url|--extra-index-url|--registry|-i)\b"),
        ("ENVIRONMENT_DUMP", 60, r"(?:^|[|;&]\s*)(?:env|printenv|set)\s*(?:$|[|;&>])"),
    )
)  # fmt: skip
# A command without one of these words can match no rule above.
TRIGGER = re.compile(
    r"rm\s|mkfs|\bdd\s|/dev/|shred|wipefs|git\s|drop\s|truncate\s|destroy|kubectl|remove-item|del\s|"
    r"format\s|curl|wget|iwr|webrequest|base64|iex|tar\s|zip\s|env|nc\s|ncat|socat|scp|rsync|sftp|"
    r"sudo|su\s|doas|runas|chmod|chown|crontab|systemctl|launchctl|schtasks|\.(?:bash|z|prof)|"
    r"hookstream|setenforce|ufw|iptables|--no-verify|dangerously|--yolo|index-url|registry|\sset\b|^set\b|"
    r"npm|pip|yarn",
    re.IGNORECASE,
)
SENSITIVE_PATH = re.compile(
    r"\.ssh(?:/|\\|$)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws/|\.azure/|\.config/gcloud|\.kube/config|"
    r"\.gnupg|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker/config\.json|/etc/(?:shadow|sudoers)|"
    r"(?:^|[/\\\s'\"])\.env(?:\.\w+)?(?:$|[\s'\"])|\.pem(?:$|[\s'\"])|\.p12\b|\.keystore\b|\.kdbx\b|"
    r"credentials\.json|\bsecrets?\.(?:ya?ml|json|toml)\b|\.vault-token|/proc/\w+/environ",
    re.IGNORECASE,
)
POLICY_PATH = re.compile(
    r"\.claude/settings|\.cursor/hooks\.json|\.codex/(?:config\.toml|hooks\.json)|\.gemini/settings|"
    r"\.qwen/settings|managed-settings\.json|\.clinerules/hooks|hooks\.json$|\.git/hooks/|AGENTS\.md$|"
    r"CLAUDE\.md$|\.cursorrules$",
    re.IGNORECASE,
)
WRITES = frozenset(("file_write", "file_edit", "file_delete", "shell", "package_install"))
BYPASS_MODES = frozenset(
    ("bypassPermissions", "yolo", "dontAsk", "danger-full-access", "autoApprove")
)
ACTION_TYPES = frozenset(("Action.Before", "Action.After"))


def assess(event: Event) -> None:
    """Sets `event.risk` of actions, decisions and loops; other Events have none unless they carry
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
        if facts.get("permission_mode") in BYPASS_MODES:
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
    if TRIGGER.search(text) is None:
        return hits
    rules = [(name, points) for name, points, rule in COMMAND_RULES if rule.search(text)]
    return (*rules, *hits)


@lru_cache(maxsize=1024)
def of_path(text: str, writes: bool) -> tuple[tuple[str, int], ...]:
    """(factor, points) of the paths in a text."""
    hits = []
    if SENSITIVE_PATH.search(text) is not None:
        hits.append(("CREDENTIAL_PATH", 65))
    if writes and POLICY_PATH.search(text) is not None:
        hits.append(("POLICY_CHANGE", 70))
    return tuple(hits)
