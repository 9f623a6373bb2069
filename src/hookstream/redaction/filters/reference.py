"""What points to a secret and is none: names in stores of secrets, variables, places of files."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.random import is_random

# Commands whose option `--secret` takes the name of one.
_BY_NAME = re.compile(
    r"\b(?:gcloud|docker|podman|nerdctl|buildah|buildctl|buildx|copilot|earthly|melange|berglas)\b"
    r"[^\n]{0,200}--[a-z-]{0,16}secrets?(?:-name)?(?:=| |\\?[\"'])*$"
    r"|\bsecretsmanager\b[^\n]{0,200}--secret-id[ =]+$"
)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*(?::(?:latest|v?[0-9]{1,5})|@[0-9]{1,5})?")
# NAME=secret:version of Cloud Run, one or more.
_MOUNTED = re.compile(
    r"(?:[A-Za-z_/][\w./-]{0,80}=)?(?:projects/[^,\s]{1,120}|[a-z][\w-]{0,80}):(?:latest|[0-9]{1,5})"
)
# id=npm_token,src=.npmrc of Docker and its kin.
_MOUNT = re.compile(
    r"(?:id|source|src|type|name)=[^,=\s]{1,120}"
    r"(?:,(?:id|source|src|target|dst|type|env|mode|uid|gid|required|file)=?[^,=\s]{0,120})*"
)
# The key of a secret in a store: prod/db#password.
_KEYED = re.compile(
    r"[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,60}){1,6}#[A-Za-z_]{2,40}|secret/data/[\w/.-]{1,80}:[a-z_]{2,40}"
)
_STARTED = re.compile(r"PWD=\\{0,3}[\"']?$")
_FOLDER = re.compile(r"(?:~|/|[A-Za-z]:\\|\\\\)[\w./\\ ~@+-]*")
_UNDER_VARIABLE = re.compile(
    r"\$\{?\w{1,40}\}?(?:[/\\][\w.-]{1,80}){1,12}[#;,)]{0,2}|[\w.-]{1,40}:\$\{?\w{1,40}\}?"
)
# ssm:/prod/db, @env.TOKEN: where programs look values up.
_LOOKED_UP = re.compile(
    r"(?:ssm|ssm-secure|sm|asm|secretsmanager|awssm|awsssm|gcpsm|gcp-sm|gsm|sm|kv|akv|azkv|keyvault"
    r"|azurekv|vault|openbao|op|bws?|lpass|keyring|keychain|doppler|infisical|secretref|exec|cmd|conjur)"
    r":/{0,3}[\w.-]+(?:[/#:?=&][\w.-]*)+|@(?:env|file|secret|vault|var)[.:(/][\w./:-]+\)?"
)
_BUILT = re.compile(
    r"(?:[a-zA-Z_$][\w$]*(?:\.|::|->))+[a-zA-Z_]\w*\(.*|[A-Z][A-Za-z]{1,24}\(\)?\..*|[a-z]\.[a-z]\w{2,16}\(.*"
)
_COMMAND = re.compile(
    r"(?:gpg2?|secret-tool|lpass|rbw|gopass|bw|chamber|sops|doppler|infisical|heroku|oci|kpcli|keyring"
    r"|pass|op|vault) [^\n]+"
)
# What names a thing in a cloud: the last part of a resource's name.
_RESOURCE = re.compile(r"\b(?:crn:v[0-9]|arn:[a-z-]{3,12}|ocid1|urn|ni):[^\s\"']{0,200}[:.]$")
_PROMPTED = re.compile(r"(?i)\bset /p [\"']?\w+=$")
_SYSTEMD = re.compile(r"\b(?:Load|Import)Credential(?:Encrypted)?=$")
_CHAIN = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_$#][\w$]*)+(?:!|\?\?|\?:|!!)?[;,)]?"
)
_PARTS = re.compile(r"->|::|[.?!;,):]+")
_SOURCES = ("env", "environ", "environment", "config", "settings", "secrets", "process")
_SOURCE_WORDS = frozenset(_SOURCES)
_NAMED = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+")
_CLASS = re.compile(r"(?:[a-z_][a-z0-9_]{0,40}[./]){2,10}[A-Za-z][A-Za-z0-9]{0,80}")


def is_reference(value: str, before: str, last: str) -> bool:
    """Whether the value names a secret, a variable, a class or a place, seen what stands before
    it: `before` is the line so far, `last` its last character."""
    if _MOUNT.fullmatch(value) is not None and before.rstrip(" =\"'\\").endswith("secret"):
        return True
    if _CLASS.fullmatch(value) is not None and _is_class(value):
        return True
    if last not in ("'", '"', "`") and _BUILT.fullmatch(value) is not None:
        return True
    if before.endswith((":", ".")) and _RESOURCE.search(before) is not None:
        return True
    if not is_random(value) and _points(value, before):
        return True
    if last not in ("'", '"', "`") and _CHAIN.fullmatch(value) is not None:
        return _is_chain(value)
    return False


def _points(value: str, before: str) -> bool:
    if _BY_NAME.search(before) is not None and _NAME.fullmatch(value) is not None:
        return True
    if "secrets" in before and all(map(_MOUNTED.fullmatch, value.split(","))):
        return True
    if _KEYED.fullmatch(value) is not None:
        return field_names.sensitivity(re.split("[#:]", value)[-1]) == field_names.STRONG
    if _UNDER_VARIABLE.fullmatch(value) is not None:
        return True
    if _LOOKED_UP.fullmatch(value) is not None or _COMMAND.fullmatch(value) is not None:
        return True
    if _STARTED.search(before) is not None and _FOLDER.fullmatch(value) is not None:
        return True
    return _SYSTEMD.search(before) is not None or _PROMPTED.search(before) is not None


def _is_chain(value: str) -> bool:
    """`Bun.env.TOKEN!`, `session.accessToken!`: one part says where it is from or what it is."""
    parts = [part for part in _PARTS.split(value) if part]
    if parts[0].lower().endswith(_SOURCES):
        return True
    if not _SOURCE_WORDS.isdisjoint(part.lower() for part in parts):
        return True
    return (
        _NAMED.fullmatch(parts[-1]) is not None
        and field_names.sensitivity(parts[-1]) == field_names.STRONG
    )


_HUMP = re.compile(r"[A-Z][a-z]{2,}")


def _is_class(value: str) -> bool:
    """A module's path and a class in it: `django.contrib.auth.hashers.Argon2PasswordHasher`."""
    name = re.split(r"[./]", value)[-1]
    humps = _HUMP.findall(name)
    return len(humps) > 1 and sum(map(len, humps)) * 2 >= len(name)
