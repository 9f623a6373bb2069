"""Effects of commands, by name, with the risk factor and points of each. Rules are data: a row is
an effect's name, its factor and points (docs/risk.md), and a test of one command.

A test sees commands as the shell runs them (wrappers off, quotes resolved), never the raw line: a
quoted text is not a command, and another spelling is the same command.
"""

from __future__ import annotations

from functools import lru_cache

from hookstream.shell.effects import agents, code, destruction, sending, system
from hookstream.shell.reading import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.shell.command import Command
    from hookstream.shell.reading import ParsedCommand

# effect, risk factor ("" if it is not a risk alone), points, test of a command
ROWS: tuple[tuple[str, str, int, Callable[[Command], bool]], ...] = (
    ("mass_delete", "DESTRUCTIVE_OP", 85, destruction.mass_delete),
    ("wide_delete", "DESTRUCTIVE_OP", 85, destruction.wide_delete),
    ("recursive_delete", "DESTRUCTIVE_OP", 70, destruction.recursive_delete),
    ("delete", "", 0, destruction.delete),
    ("disk_wipe", "DESTRUCTIVE_OP", 95, destruction.disk_wipe),
    ("forced_push", "DESTRUCTIVE_OP", 80, destruction.forced_push),
    ("history_rewrite", "DESTRUCTIVE_OP", 80, destruction.history_rewrite),
    ("database_destroy", "DESTRUCTIVE_OP", 85, destruction.database_destroy),
    ("infra_destroy", "DESTRUCTIVE_OP", 90, destruction.infra_destroy),
    ("backup_removed", "DESTRUCTIVE_OP", 90, destruction.backup_removed),
    ("remote_code", "REMOTE_CODE", 85, code.remote_code),
    ("decoded_code", "REMOTE_CODE", 80, code.decoded_code),
    ("reverse_shell", "EXFILTRATION", 90, code.reverse_shell),
    ("file_upload", "EXFILTRATION", 85, sending.file_upload),
    ("data_piped_out", "EXFILTRATION", 80, sending.data_piped_out),
    ("dns_exfil", "EXFILTRATION", 80, sending.dns_exfil),
    ("remote_copy", "EXFILTRATION", 60, sending.remote_copy),
    ("data_sent", "", 0, sending.data_sent),
    ("privilege", "PRIVILEGE", 60, system.privilege),
    ("loose_permissions", "PRIVILEGE", 65, system.loose_permissions),
    ("container_escape", "PRIVILEGE", 85, system.container_escape),
    ("persistence", "PERSISTENCE", 70, system.persistence),
    ("shell_profile", "PERSISTENCE", 70, system.shell_profile),
    ("security_tool_off", "POLICY_CHANGE", 75, system.security_tool_off),
    ("hooks_off", "POLICY_CHANGE", 75, agents.hooks_off),
    ("guard_skipped", "BYPASS", 70, agents.guard_skipped),
    ("package_source", "SUPPLY_CHAIN", 50, agents.package_source),
    ("environment_dump", "ENVIRONMENT_DUMP", 60, system.environment_dump),
    ("agent_started", "", 0, agents.agent_started),
    ("tunnel", "", 0, sending.tunnel),
    ("history_wiped", "", 0, system.history_wiped),
    ("git_remote_changed", "", 0, agents.git_remote_changed),
    ("made_public", "", 0, sending.made_public),
    ("published", "", 0, sending.published),
    ("archive", "", 0, sending.archive),
    ("network", "", 0, sending.network),
    ("package_install", "", 0, agents.package_install),
    ("skill_install", "", 0, agents.skill_install),
)
RISKS = {name: (factor, points) for name, factor, points, _ in ROWS if factor}


def effects(reading: ParsedCommand) -> frozenset[str]:
    """The names of everything the commands of a line do."""
    names = {name for command in reading.commands for name, _, _, test in ROWS if test(command)}
    if "remote_code" not in names and _downloaded_and_run(reading):
        names.add("remote_code")
    if _backup_collected(reading):
        names.add("backup_removed")
    return frozenset(names)


@lru_cache(maxsize=2048)
def effects_of(text: str) -> frozenset[str]:
    """`effects` of a command line as text."""
    return effects(read(text))


def _downloaded_and_run(reading: ParsedCommand) -> bool:
    """`curl -o x URL; sh x` in one line."""
    got: set[str] = set()
    for command in reading.commands:
        if code.runs_file(command, got):
            return True
        got |= code.download_targets(command)
    return False


def _backup_collected(reading: ParsedCommand) -> bool:
    """`git reflog expire` and `git gc --prune` together leave no way back."""
    git = [command for command in reading.commands if command.program == "git"]
    return any(command.verb("reflog", "expire") for command in git) and any(
        command.verb("gc") and command.has("--prune") for command in git
    )
