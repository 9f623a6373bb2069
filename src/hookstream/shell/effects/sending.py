"""Sending of data to another host, or to the public."""

from __future__ import annotations

import re

from hookstream.shell.effects.code import DOWNLOADS, SOCKETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

UPLOADS = ("-T", "--upload-file", "-F", "--form", "--form-string")


SENDS = ("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json")


LOCAL = re.compile(r"(?:^|[/@])(?:localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0)(?:[:/]|$)")


REMOTE_PLACE = re.compile(r"(?:[\w.-]{1,99}@)?[\w.-]{2,253}:(?!\\)|rsync://|s3://")


def local(c: Command) -> bool:
    return any(LOCAL.search(word) for word in c.args)


def file_upload(c: Command) -> bool:
    """A file's content in a request: `curl -d @file`, `-F x=@file`, `-T file`, `wget --post-file`."""
    if c.program == "curl":
        if c.has("-T", "--upload-file"):
            return True
        pairs = list(zip(["", *c.args], c.args, strict=False))
        return any(
            (
                re.match(r"(?:-d|--data[\w-]*|-F|--form|--json)", flag)
                and "@" in value
                and value[:1] == "@"
            )
            or (flag in ("-F", "--form") and "=@" in value)
            for flag, value in pairs
        ) or any(
            re.match(r"(?:-d|--data[\w-]*=|--json=)@|(?:-F|--form=).{0,99}=?@", word)
            for word in c.args
        )
    return c.program == "wget" and c.has("--post-file", "--body-file")


def data_piped_out(c: Command) -> bool:
    """Output of another command, sent to the network; `nc host < file`."""
    reading = any(sign == "<" for sign, _ in c.redirects)
    if c.program in SOCKETS:
        return bool(c.fed_by) or reading
    if c.program in ("curl", "wget"):
        sends = any(word in ("-", "@-") or word.endswith("@-") for word in c.args) or file_upload(c)
        names = {source.program for source in c.sources()}
        return (
            (sends and bool(c.fed_by))
            or bool(
                names & {"cat", "tar", "zip", "env", "printenv", "base64", "gzip", "xxd"}
                and c.has(*SENDS)
            )
            or bool(c.fed_by and names & {"cat", "tar", "zip", "env", "printenv"})
        )
    return False


def remote_copy(c: Command) -> bool:
    if c.program in ("scp", "rsync", "sftp"):
        return any(REMOTE_PLACE.match(word) for word in c.operands())
    if c.program == "rclone":
        return c.verb("copy|sync|move|copyto")
    if c.program in ("aws", "gsutil", "gcloud", "azcopy"):
        operands = c.operands()
        copies = {"cp", "sync", "mv", "copy", "rsync"} & set(operands[:3])
        return bool(copies) and bool(re.match(r"(?:s3|gs|https)://", operands[-1]))
    return False


def data_sent(c: Command) -> bool:
    """Anything sent to another host."""
    if local(c):
        return False
    if c.program in ("curl", "wget", "http", "https", "xh"):
        posts = c.has(*UPLOADS, *SENDS, "--post-file", "--post-data") or any(
            re.match(r"(?:-X|--request=|--method=)?(?:POST|PUT|PATCH)$", word) for word in c.args
        )
        return posts or data_piped_out(c)
    return remote_copy(c) or dns_exfil(c) or (c.program in SOCKETS and not c.has("-l", "-z", "-h"))


def dns_exfil(c: Command) -> bool:
    if c.program not in ("dig", "nslookup", "host", "ping", "drill", "resolvectl"):
        return False
    return any(
        ("$(" in word and "." in word.replace("$(...)", ""))
        or bool(re.search(r"[^.\s/]{40,}\.", word))
        for word in c.args
    )


def tunnel(c: Command) -> bool:
    if c.program in ("ngrok", "bore", "lt", "localtunnel", "chisel", "frpc", "zrok", "pagekite"):
        return bool(c.args) and not c.has("--version", "--help")
    if c.program == "cloudflared":
        return c.verb("tunnel|access")
    if c.program in ("tailscale",):
        return c.verb("funnel|serve")
    return c.program in ("ssh", "autossh") and c.has("-R")


def made_public(c: Command) -> bool:
    if c.program not in ("gh", "glab", "hub"):
        return False
    if c.verb("repo", "create"):
        return "--public" in c.args
    if c.verb("repo", "edit"):
        return c.has("--visibility") and "public" in " ".join(c.args)
    if c.verb("gist", "create"):
        return True
    return c.verb("api") and bool(re.search(r"visibility=public|private=false", " ".join(c.args)))


def published(c: Command) -> bool:
    """Something others can read: a push, a pull request, a comment, a release, a package."""
    if c.program == "git":
        return c.verb("push") and not c.has("--dry-run", "-n")
    if c.program in ("gh", "glab"):
        return c.verb("pr|mr|issue|release|gist", "create|comment|edit|new|note") or c.verb(
            "repo", "create"
        )
    return c.program in ("npm", "pnpm", "yarn", "cargo", "poetry", "uv", "twine", "gem") and (
        c.verb("publish|upload|push")
    )


def archive(c: Command) -> bool:
    if c.program == "tar":
        first = c.args[0] if c.args else ""
        return c.has("-c", "--create") or (not first.startswith("-") and "c" in first[:6])
    return c.program in ("zip", "7z", "7za", "rar") and (c.program != "7z" or c.verb("a"))


def network(c: Command) -> bool:
    if c.program in DOWNLOADS or c.program in SOCKETS:
        return not local(c)
    return data_sent(c) or c.program in ("ssh", "telnet", "ftp", "tftp")
