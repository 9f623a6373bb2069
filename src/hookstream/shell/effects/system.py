"""Raised rights, persistence on the machine, and blinded defences."""

from __future__ import annotations

import re

from hookstream.shell.command import base_name
from hookstream.shell.effects.destruction import delete
from hookstream.shell.files import writes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

PROFILE = re.compile(
    r"(?:^|[/~\\])\.?(?:bashrc|zshrc|zprofile|zshenv|bash_profile|bash_login|profile|kshrc)$"
    r"|config\.fish$|profile\.ps1$"
)


SECURITY = re.compile(
    r"auditd|firewalld|ufw|apparmor|falcon|crowdstrike|sentinel|defender|mdatp|osqueryd|wazuh|falco|clamav|"
    r"auditbeat|elastic-agent|sysmon|santa|carbonblack|cbagentd",
    re.IGNORECASE,
)


HISTORY = re.compile(
    r"\.(?:bash|zsh|python|node_repl|psql|mysql)_?history|\.claude/(?:projects|history)|\.codex/(?:sessions|history)|"
    r"\.gemini/tmp|\.local/state/hookstream|/var/log(?:/|$)|agent-hooks\.jsonl|\.local/share/opencode"
)


def privilege(c: Command) -> bool:
    if c.privileged or c.program in ("sudo", "doas", "pkexec", "run0", "runas"):
        return True
    return c.program == "su"


def loose_permissions(c: Command) -> bool:
    if c.program == "chmod":
        return any(
            re.fullmatch(r"0?777|[24567]7\d\d|[ugoa]*\+[rwx]*s|a\+rwx|o\+w|a\+w|\+s", w)
            for w in c.operands()[:1]
        )
    return c.program == "chown" and any(
        w.startswith(("root:", "0:")) or w in ("root", "0") for w in c.operands()[:1]
    )


def container_escape(c: Command) -> bool:
    if c.program in ("docker", "podman", "nerdctl"):
        if not c.verb("run|create|exec") and not c.verb("container", "run"):
            return False
        whole = " ".join(c.args)
        return bool(
            re.search(
                r"--privileged|docker\.sock|--pid[= ]host|(?:-v|--volume)[= ]/:|--cap-add[= ](?:ALL|SYS_ADMIN)",
                whole,
            )
        )
    for words in (*c.layers, [c.program, *c.args]):
        if base_name(words[0]) == "nsenter":
            return bool(re.search(r"-t ?1\b|--target[= ]1\b", " ".join(words)))
    return c.program in ("kubectl", "oc") and c.verb("debug", "node")


def persistence(c: Command) -> bool:
    p = c.program
    if p in ("crontab", "schtasks", "batch"):
        return not (p == "schtasks" and any(w.lower() == "/query" for w in c.args))
    if p == "at":
        return bool(c.args) and not c.has("-l", "-c")
    if p == "systemctl":
        return c.verb("enable")
    if p == "launchctl":
        return c.verb("load|bootstrap|enable")
    if p == "reg":
        return c.verb("add") and any("\\run" in w.lower() for w in c.args)
    return any(
        re.search(
            r"/etc/(?:cron|systemd/system)|/LaunchAgents/|/LaunchDaemons/|/autostart/|\.config/systemd/user",
            f,
        )
        for f in writes(c)
    )


def shell_profile(c: Command) -> bool:
    return any(PROFILE.search(file) for file in writes(c))


def security_tool_off(c: Command) -> bool:
    p = c.program
    if p == "setenforce":
        return any(w.lower() in ("0", "permissive") for w in c.args)
    if p == "ufw":
        return c.verb("disable|reset")
    if p in ("iptables", "ip6tables", "nft"):
        return c.has("-F", "--flush") or c.verb("flush")
    if p in ("systemctl", "service"):
        return c.verb("stop|disable|mask") and any(SECURITY.search(w) for w in c.args)
    if p in ("killall", "pkill", "taskkill"):
        return any(SECURITY.search(w) for w in c.args)
    if p == "spctl":
        return "--master-disable" in c.args or "--global-disable" in c.args
    if p == "csrutil":
        return c.verb("disable")
    if p in ("auditctl",):
        return c.has("-D") or "-e0" in c.args or (c.has("-e") and "0" in c.args)
    if p == "set-mppreference":
        return any("disable" in w.lower() for w in c.args)
    return p == "netsh" and "off" in [w.lower() for w in c.args] and "advfirewall" in c.args


def history_wiped(c: Command) -> bool:
    if c.program == "history":
        return c.has("-c", "-d")
    if c.program == "unset":
        return any(w.startswith("HISTFILE") for w in c.args)
    if any(re.match(r"HISTFILE=(?:/dev/null)?$|HISTSIZE=0", w) for w in [*c.assigned, *c.args]):
        return True
    if c.program in ("journalctl",):
        return any(w.startswith("--vacuum") for w in c.args)
    if delete(c) or c.program == "truncate":
        return any(HISTORY.search(w) for w in c.args)
    return any(sign == ">" and HISTORY.search(to) for sign, to in c.redirects)


def environment_dump(c: Command) -> bool:
    if c.program == "printenv":
        return not c.operands()
    if c.program == "env":
        return not [w for w in c.operands() if "=" not in w]
    return (c.program in ("set", "export") and not c.args) or (
        c.program == "export" and c.args == ["-p"]
    )
