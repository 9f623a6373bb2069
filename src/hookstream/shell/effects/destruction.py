"""Destruction: files, disks, history, databases, infrastructure, backups."""

from __future__ import annotations

import re

from hookstream.shell.files import DELETERS, deletes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

# What rm -rf must never be given: the root, a home, the place above, a drive, a bare wildcard.
WHOLE = re.compile(
    r"(?:/\*?|~/?\*?|\$\{?HOME\}?/?\*?|\.\.?(?:/\.\.){0,8}/?\*?|\*|[A-Za-z]:[\\/]?\*?"
    r"|/(?:home|etc|usr|var|opt|root|srv|Users|boot|lib|bin)/?\*?)\Z"
)


DEVICE = re.compile(r"/dev/(?:sd|hd|nvme|vd|xvd|disk|mmcblk)")


def delete(c: Command) -> bool:
    return c.program in DELETERS or bool(deletes(c))


def recursive_delete(c: Command) -> bool:
    if c.program == "rm":
        return c.has("-r", "-R", "--recursive")
    if c.program in ("remove-item", "ri", "rm", "del", "erase", "rd", "rmdir"):
        return any(word.lower() in ("-recurse", "-r", "/s", "/q") for word in c.args)
    return (c.program == "find" and "-delete" in c.args) or (c.program == "rimraf" and bool(c.args))


def mass_delete(c: Command) -> bool:
    """The root, a home, all of the folder, a drive."""
    if not recursive_delete(c):
        return False
    if c.program == "find":
        roots = [word for word in c.args if not word.startswith("-")][:1]
        return any(WHOLE.match(word) and word not in (".", "./") for word in roots)
    return any(WHOLE.match(word) for word in c.operands())


def wide_delete(c: Command) -> bool:
    """A tree named from the root or a home, or by a variable."""
    if not recursive_delete(c) or c.program == "find":
        return False
    return any(word.startswith(("/", "~", "$", ".", "*")) for word in c.operands())


def disk_wipe(c: Command) -> bool:
    if c.program.startswith("mkfs") or c.program in ("shred", "wipefs", "blkdiscard"):
        return True
    if c.program == "dd" and any(
        word.startswith("of=/dev/") and "null" not in word for word in c.args
    ):
        return True
    if c.program == "format" and any(re.fullmatch(r"[A-Za-z]:", word) for word in c.args):
        return True
    return any(sign.startswith(">") and DEVICE.match(to) for sign, to in c.redirects)


def forced_push(c: Command) -> bool:
    if c.program in ("gh", "curl", "wget", "hub"):
        whole = " ".join(c.args)
        return "/git/refs" in whole and bool(re.search(r"force[\"']?\s*[=:]\s*[\"']?true", whole))
    if c.program != "git" or not c.verb("push") or c.has("--dry-run", "-n"):
        return False
    if c.has("-f", "--force", "--force-with-lease", "--mirror", "--force-if-includes"):
        return True
    return any(word.startswith("+") and len(word) > 1 for word in c.operands()[1:])


def history_rewrite(c: Command) -> bool:
    if c.program != "git":
        return c.program in ("git-filter-repo", "bfg")
    if c.verb("reset"):
        return c.has("--hard")
    if c.verb("clean"):
        return c.has("-f", "--force") and not c.has("-n", "--dry-run")
    return c.verb("filter-branch|filter-repo")


DATABASES = frozenset(
    "psql mysql mariadb sqlite3 sqlcmd mongosh mongo clickhouse-client duckdb cockroach bq snowsql".split()
)


DROPS = re.compile(
    r"\b(?:drop|truncate)\s+(?:table|database|schema)\b|\btruncate\s+[\w.\"]{1,99}\s*(?:;|$)"
    r"|\bdelete\s+from\s+[\w.\"`]{1,99}\s*(?:;|$)|\.drop(?:Database)?\(\)",
    re.IGNORECASE,
)


def texts(c: Command) -> str:
    """The texts a program is given to run: arguments, heredoc, what is piped into it."""
    piped = [" ".join(source.args) for source in c.fed_by if source.program in ("echo", "printf")]
    fed = [text for source in c.fed_by if source.program == "cat" for text in source.stdin]
    return "\n".join([*c.args, *c.stdin, *piped, *fed])


def database_destroy(c: Command) -> bool:
    if c.program in ("dropdb", "dropuser"):
        return True
    if c.program in ("redis-cli", "valkey-cli"):
        return c.verb("flushall|flushdb")
    if c.program in DATABASES or any(word in DATABASES for word in c.args[:6]):
        return DROPS.search(texts(c)) is not None
    if c.program in ("rails", "rake", "bin/rails"):
        return c.verb("db:drop|db:reset")
    if c.program in ("prisma", "npx", "pnpm", "bunx"):
        joined = " ".join(c.operands())
        return "migrate reset" in joined or ("db push" in joined and "--force-reset" in c.args)
    return c.program == "manage.py" and c.verb("flush")


def infra_destroy(c: Command) -> bool:
    p = c.program
    if p in ("terraform", "tofu", "terragrunt"):
        dry = any(word.endswith("help") for word in c.args)
        return not dry and (c.verb("destroy") or (c.verb("apply") and "-destroy" in c.args))
    if p in ("pulumi", "cdk", "cdktf", "serverless", "sls", "flyctl", "fly", "vagrant"):
        return c.verb("destroy|remove") or c.verb("apps", "destroy")
    if p in ("kubectl", "oc", "k"):
        return c.verb("delete", "ns|namespace|namespaces|pv|pvc|all|node|crd|project") or (
            c.verb("delete") and c.has("--all", "--all-namespaces")
        )
    if p in ("docker", "podman"):
        down = c.verb("compose", "down") or c.verb("system", "prune")
        return c.verb("volume", "rm|prune") or (down and c.has("-v", "--volumes"))
    if p == "docker-compose":
        return c.has("-v", "--volumes")
    if p == "aws":
        words = c.operands()[:2]
        return (
            (
                words[1:] != []
                and bool(
                    re.match(
                        r"(?:delete-(?:stack|cluster|db-|bucket|table|file-system|volume)|terminate-)",
                        words[1],
                    )
                )
            )
            or (c.verb("s3", "rb") and c.has("--force"))
            or (c.verb("s3", "rm") and c.has("--recursive"))
        )
    if p == "gcloud":
        return "delete" in c.operands() and not c.verb("auth")
    if p == "az":
        return c.verb("group", "delete")
    if p == "gh":
        return c.verb("repo", "delete")
    return p == "helm" and c.verb("uninstall|delete")


def backup_removed(c: Command) -> bool:
    p, words = c.program, " ".join(c.operands()[:4]).lower()
    if p in ("restic", "kopia"):
        return c.verb("forget|prune") or c.verb("snapshot", "delete")
    if p in ("borg", "borgmatic", "velero", "duplicity"):
        return "delete" in words or "remove-all" in words
    if p in ("vssadmin", "wbadmin", "wmic"):
        return "delete" in words
    if p == "tmutil":
        return words.startswith("delete")
    if p in ("zfs", "btrfs", "lvremove"):
        return (
            p == "lvremove" or ("destroy" in words and "@" in words) or "subvolume delete" in words
        )
    return p in ("aws", "gcloud", "az", "hcloud", "doctl") and bool(
        re.search(
            r"delete-(?:db-)?(?:cluster-)?snapshot|delete-backup|(?:snapshots?|backups?) delete",
            words,
        )
    )
