"""Placeholders for a secret: variables, templates, masks, words."""

from __future__ import annotations

import re

from hookstream.redaction.rules.compiled.words.placeholders import EXACT

# $TOKEN ${TOKEN} $(cmd) %TOKEN% {{ token }} {token} <token> #{token} @@token@@ __TOKEN__
_VARIABLE = re.compile(
    r"\$\$?[A-Za-z_][\w:.\[\]'\"-]*|\$\{[^{}]*\}?|\$\([^\n]*|%[A-Za-z_]\w*%|%\(?\w*\)?[sdr]|%[svdq+]"
    r"|#?\{\{?[^{}\n]*\}?\}?|\$\{\{[^{}]*\}?\}?|<[^<>\n]*>|&lt;[^<>\n]*&gt;|\[[A-Za-z _.-]+\]"
    r"|[\w.-]{1,40}:\$\{?\w{1,40}\}?"  # user:$PASSWORD
    r"|\$\{?\w{1,40}\}?(?:/[\w.-]{1,80}){1,12}"  # $SECRETS/database
    r"|(?:[A-Z][A-Z0-9_]{1,60}=)?[\w./-]{1,120}:latest"  # gcloud --set-secrets=NAME=secret:latest
    r"|@@?[A-Za-z_]+@{0,2}|__[A-Za-z0-9_]+__|:[a-z_]+|\?|\w+![rsa]"
    r"|![A-Z][A-Za-z]+ [^\n]*|!secret [^\n]*|op://[^\n]*|vault:[a-z][^\n]*|ENC[\[(][^\n]*"
    r"|arn:aws:[^\n]*|projects/[^\n]*/(?:secrets|locations|keyRings)/[^\n]*|keychain:[^\n]*|env[:.][A-Za-z_]\w*"
    r"|agent:[\w.-]{1,64}:[\w:.@+-]{1,256}"  # a session's address, as OpenClaw spells it
    r"|(?:trim|required|nullable|sometimes)[|,;][^\n]*"  # rules of validation
    r"|id=[\w-]+,(?:src|source|env)=[^\n]*"  # docker build --secret
    r"|YOUR_[A-Z0-9_]+|\(sensitive(?: value)?\)?"
    r"|ref\+[^\n]*|secret://[^\n]*|file:[^\n]*|bao:[^\n]*"
    r"|@Microsoft\.KeyVault[^\n]*|\\?\$\\?\{[^\n]*"
)
_CODE = re.compile(
    r"(?:process\.env|Bun\.env|os\.environ|os\.getenv|getenv|env|ENV|import\.meta|Deno\.env|System\.getenv"
    r"|secrets|vars?|local|data|self|this|config|settings|inputs|github|steps|module|each|args"
    r"|options|opts|params|props|request|req|res|ctx|context|user|app)(?:[.\[(:][^\n]*|->[^\n]*)"
)
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")
_VERSION = re.compile(r"[~^<>=v* ]{0,3}[0-9]{1,4}(?:\.[0-9x*]{1,5}){1,3}(?:[-+][0-9a-z.-]{1,24})?")
_MASK = re.compile(
    r"[*xX.\u2022\u25cf\u2026_#?-]{3,}|0+|(?:[A-Za-z]{1,8}[_-]){0,3}[xX*.\u2022\u2026]{4,}"
    r"|[A-Za-z0-9_-]{0,12}(?:\*{3,}|\u2022{3,}|\.{3,}|\u2026)[A-Za-z0-9]{0,4}"
)
_REDACTED = re.compile(
    r"[\[<(*]{0,3}(?i:redacted|filtered|masked|hidden|removed)(?::[a-z0-9-]{1,40})?[\])>*]{0,3}"
    r"|\[hookstream:(?:hmac-)?sha256=[0-9a-f]{64};chars=[0-9]{1,12}\]"
)
_WORD = re.compile(
    r"(?i)(?:<|\[|\()?(?:your|my|our|the|some|insert|enter|put|paste|replace|add|use|set|change|"
    r"changeme|example|sample|dummy|fake|mock|placeholder|todo|fixme|tbd|redacted|removed|masked|"
    r"hidden|omitted|none|null|nil|undefined|empty|unset|default|not|no|n/a|na|any|test|testing|"
    r"foo|bar|baz|foobar|abc|xyz|secret|password|passwd|token|key|value|string|str|text|api|here|"
    r"me|with|a|an|is|this|it|from|env|access|client|private|auth|user|username|database|db|goes|"
    r"required|optional|true|false|yes|off|on|and|or|of|for|to|new|old|real|actual|own|generated|"
    r"super|s3cr3t_here|bearer|basic|id|name|app|service|account|secure|strong|long|random|"
    r"valid|invalid|wrong|missing|expired|bad|good|credential|credentials|in|vault|see|docs|"
    r"github|gitlab|openai|anthropic|aws|stripe|slack|google|azure|pat|here|xxx+|\*+|\d{0,3})"
    r"(?:[ _.-]+|(?=[A-Z])|$|>|\]|\))"
)


def is_mask(value: str) -> bool:
    """`****`, `xxxx`, `sk-xxxx...`, `abcd****`: what is left when the secret was taken out.

    This holds for formats too: `ghp_` followed by x alone is a picture of a token.
    """
    if _MASK.fullmatch(value) is not None or _REDACTED.fullmatch(value) is not None:
        return True
    if len(value) < 12:
        return False
    if (len(value) >= 24 and len(set(value[-20:])) == 1) or _is_example(value):
        return True
    tail = value[-12:]
    return tail.strip("xX*.-_") == "" or (
        len(value) >= 16 and len(set(value[6:].lower())) <= 1 and value[-1] in "xX*.-_#"
    )


def _is_example(value: str) -> bool:
    from hookstream.redaction.filters import example  # few values are so long

    return example.is_example(value)


# your_sentry_auth_token, xoxb-your-token-here, example-tfe-token-placeholder
_YOURS = re.compile(
    r"(?i)(?:[a-z0-9]{1,12}[-_])?(?:your|insert|example|sample|dummy|replace)"
    r"(?:[-_ ][a-z]{0,20}[0-9]{0,2}){1,8}|(?:[a-z]{1,20}[-_ ]){1,8}(?:here|placeholder)"
)
# Signs that an address, HTML or JSON spell out: %24 &lt; &#42; \u2022
_SPELT = re.compile(
    r"%(2[0-9A-Fa-f]|3[A-Fa-f]|40|5[BDbd]|7[B-Db-d])|&(lt|gt|amp);?|&#(\d{2,4});"
    r"|\\{1,4}u(20[0-9a-f]{2})|%[Ee]2%80%[Aa]2"
)
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&"}


def _sign(found: re.Match[str]) -> str:
    code, entity, number, point = found.groups()
    if entity:
        return _ENTITIES[entity]
    return chr(int(number)) if number else chr(int(code or point or "2022", 16))


def is_placeholder(value: str) -> bool:
    """Return whether a value under a secret's name is a variable, a template, a mask or a mere
    word; in an address, in HTML and in JSON too, where signs are spelt out."""
    if _SPELT.search(value) is not None:
        value = _SPELT.sub(_sign, value)
    value = value.strip(" \t\"'`,;")
    if not value or value.lower() in EXACT:
        return True
    if _VARIABLE.fullmatch(value) is not None or _CODE.fullmatch(value) is not None:
        return True
    if "[REDACTED:" in value or is_mask(value):
        return True
    if _COLOUR.fullmatch(value) is not None:
        return True
    if _VERSION.fullmatch(value) is not None or _YOURS.fullmatch(value) is not None:
        return True
    return _words_only(value)


def _words_only(value: str) -> bool:
    """`your-api-key-here`, `<insert token>`, `YOUR_TOKEN`: two plain words or more."""
    if len(value) > 64:
        return False
    position = 0
    count = 0
    while position < len(value):
        match = _WORD.match(value, position)
        if match is None or match.end() == position:
            return False
        count += 1
        position = match.end()
    return count >= 2
