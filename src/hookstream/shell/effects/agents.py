"""Effects on coding agents and what they install: guards, hooks, agents, packages, remotes."""

from __future__ import annotations

import re
from itertools import pairwise

from hookstream.core.clients import PROGRAMS, UNATTENDED
from hookstream.shell.files import writes
from hookstream.shell.managers import ECOSYSTEMS
from hookstream.shell.packages import installs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

MESSAGE = ("-m", "-am", "--message")
HOOK_SETTING = re.compile(
    r"disableAllHooks[\"']?\s*[:=]?\s*true|AGENT_HOOKS_LOG=(?:off|/dev/null|\Z)"
)


# Agents that are no clients here.
OTHERS = {
    "amp": ("-x", "--execute", "--dangerously-allow-all"),
    "aider": ("--yes-always", "--message"),
}


def words_alone(program: str) -> tuple[str, ...] | None:
    """The options and verbs with which an agent runs without a person; None for another program."""
    return OTHERS.get(program) or UNATTENDED.get(program)


def hooks_off(c: Command) -> bool:
    if c.program == "hookstream":
        return c.verb("uninstall")
    if c.program == "git":
        return any(
            re.match(r"core\.hooksPath=?(?:/dev/null|$)", w, re.IGNORECASE) for w in c.args
        ) and ("/dev/null" in " ".join(c.args))
    whole = " ".join([*c.args, *c.assigned, *c.stdin])
    if c.program in ("grep", "rg", "cat", "git"):
        return False
    quotes_only = c.program in ("echo", "printf") and not writes(c)
    return not quotes_only and HOOK_SETTING.search(whole) is not None


def guard_skipped(c: Command) -> bool:
    if any(word.startswith(("HUSKY=0", "SKIP=")) for word in c.assigned):
        return True
    if c.program == "git":
        words = [word for before, word in pairwise(["", *c.args]) if before not in MESSAGE]
        return "--no-verify" in words or (c.verb("commit") and c.has("-n"))
    if (
        c.program in ("npm", "yarn", "pnpm", "hg", "pre-commit", "husky")
        and "--no-verify" in c.args
    ):
        return True
    if c.program in ("echo", "printf", "grep", "rg"):
        return False
    return any(
        word.startswith("--dangerously-") or word == "--yolo" or word == "--no-verify"
        for word in c.args
    )


def agent_started(c: Command) -> bool:
    """Another coding agent, started with a word for runs without a person."""
    args = c.args
    name = c.program
    if name in ("npx", "bunx", "uvx", "pnpm"):
        name = next((w.rpartition("/")[2].partition("@")[0] for w in c.operands()), "")
        name = name.removesuffix("-code").removesuffix("-cli")
    words = words_alone(name)
    if words is None:
        return False
    # A verb may follow one option's value; one letter is a verb in the first place alone.
    verbs = [word for at, word in enumerate(c.operands()[:2]) if at == 0 or len(word) > 1]
    return any(word.partition("=")[0] in words for word in args if word.startswith("-")) or any(
        verb in words for verb in verbs
    )


def skill_install(c: Command) -> bool:
    words = c.operands()
    joined = " ".join(words[:4])
    if words_alone(c.program) is not None or c.program in (*PROGRAMS, "clawhub", "code"):
        return (
            bool(re.match(r"(?:plugins?|skills?|extensions?)\s(?:install|add)", joined))
            or (c.program == "code" and c.has("--install-extension"))
            or (c.program in ("clawhub",) and c.verb("install"))
        )
    return c.program in ("npx", "bunx") and bool(re.match(r"(?:add-)?skills?\b", joined))


def package_source(c: Command) -> bool:
    """A package from another index, a repository or an address."""
    if c.program not in ECOSYSTEMS and c.program not in ("python", "python3"):
        return False
    options = (
        "--index-url",
        "--extra-index-url",
        "--registry",
        "--index",
        "--default-index",
        "--find-links",
    )
    if c.has(*options) or (c.program in ("pip", "pip3") and c.has("-i")):
        return True
    if (
        c.program in ("npm", "pnpm", "yarn")
        and c.verb("config", "set")
        and "registry" in " ".join(c.args)
    ):
        return True
    return any(
        re.match(r"git\+|(?:https?|ssh)://.{0,300}\.(?:git|tgz|tar\.gz|whl|zip)", w)
        for w in c.operands()
    )


def package_install(c: Command) -> bool:
    return installs(c)


def git_remote_changed(c: Command) -> bool:
    if c.program != "git":
        return False
    if c.verb("remote", "add|set-url"):
        return True
    return (
        c.verb("config")
        and not c.has("--get", "-l", "--list")
        and any(
            re.search(
                r"\.(?:insteadof|pushinsteadof|helper)$|^credential\.helper|^remote\..{1,99}\.(?:push)?url$",
                w,
                re.IGNORECASE,
            )
            for w in c.operands()
        )
        and len(c.operands()) > 2
    )
