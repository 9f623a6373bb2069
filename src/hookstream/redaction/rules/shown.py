"""Secrets where a program, a page or a letter shows them: announced above, shown once, listed."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.assigned import KEYWORDS, NAME, STARTS
from hookstream.redaction.rules.rule import Rule

B = "a1B2c3D4"  # filler of the examples
H = "a1b2c3d4"
UUID = "4ea38b7b-f563-4709-8bae-" + "12c8b2a6f0d1"
WORDS = "legal winner thank year wave sausage worth useful legal winner thank " + "yellow"

# The end of a line, also as JSON writes it, and what may begin the next.
_LINE = r"(?:\r?\n|\\{1,3}n)[ \t>|*]{0,8}"
_SAYING = (
    "token tokens key keys secret secrets password passwords passphrase passcode pat credential "
    "credentials phrase mnemonic pwd passwort kennwort senha clave"
).split()

RULES = (
    Rule(
        "announced-secret",
        r"(?i)(?:"
        + "|".join(sorted(_SAYING, reverse=True))
        + r")\b(?:[^\n\x1f{}=\"]{0,120}?(?:[:?]|\b(?:below|follows|here)\b[.:!]?)|[.:]?)[ \t*_]{0,4}"
        + _LINE
        + f"(?:{_LINE})?(?:{_LINE})?"
        + r"(?:`{3}[a-z]{0,12}(?:\r?\n|\\{1,3}n)[ \t]{0,8})?(?:[A-Za-z][A-Za-z0-9_.-]{0,20}:[ ])?(?:[-\x22'`*]{1,3}[ ]?)?([^\s`\"'*\\][^\r\n\x1f]{7,2048})",
        tuple(_SAYING),
        "letters and pages: a sentence that says what follows, and the value alone on its line",
        (
            "the Acme token for the cut-over:\n\n    " + H * 5 + "\n\nIt ends on Friday.",
            "Here is your API key:\n```\n" + UUID + "\n```",
            "Your recovery phrase:\n" + WORDS,
        ),
        (
            "the token is found by:\n\n    acme tokens list --all\n",
            "These keys are sorted:\n  alphabetical",
            "fingerprint of the public key:\n" + H * 5,
        ),
        reads="announced",
        starts=tuple(sorted({word.removesuffix("s") for word in _SAYING})),
        weight=1,
    ),
    Rule(
        "shown-once",
        r"(?i)(?:copied to (?:the |your )?clipboard|(?:won't|will not|cannot|can't|never|not) be (?:shown|displayed|visible|able to (?:see|view)|retrieved|recovered)[^\n\x1f]{0,40}\b(?:again|later)|(?:shown|displayed|visible) (?:only )?(?:this )?once|the only time[^\n\x1f]{0,40}\b(?:shown|displayed|see)|(?:store|save|keep|copy) (?:it|this|(?:your|the|this) (?:new )?(?:api |access )?(?:key|token|secret|password|code|value|credential)s?)\b[^\n\x1f]{0,30}\b(?:safe|safely|secure|securely|now)\b)",
        ("clipboard", " be ", "once", "only time", "safe", "secur", "now"),
        "consoles and command line tools that show a new key a single time",
        (
            "Copied to clipboard!\n" + B * 4 + "\nDone.",
            "abc\n" + UUID + "\nThis will not be shown again.",
        ),
        ("Copied to clipboard!\nok", "the dialog will not be shown again\nsettings.local.json"),
        reads="shown_once",
        starts=(
            "copied",
            "won't",
            "will not",
            "cannot",
            "can't",
            "never",
            "not be",
            "shown",
            "displayed",
            "visible",
            "the only",
            "store",
            "save",
            "keep",
            "copy",
        ),
        weight=1,
    ),
    Rule(
        "protected-value",
        r"(?i)<Value ProtectInMemory=\"True\">([^<\n]{3,1024})</Value>",
        ("protectinmemory",),
        "https://keepass.info/help/kb/kdbx.html: what KeePass exports in the clear",
        ('<Value ProtectInMemory="True">' + "hunt" + "er2</Value>",),
        ('<Value ProtectInMemory="True"></Value>', '<Value ProtectInMemory="False">bob</Value>'),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "printed-by-command",
        r"(?i)(?:gcloud secrets versions access|doppler secrets get|infisical secrets get|secret-tool lookup|security find-(?:generic|internet)-password|heroku config:get|\bop (?:read|item get)|\bbw get|\blpass show|\bpass show|\bgopass|-field=|(?:secretsmanager|ssm) get-|keyvault secret show|get secret|auth token|print-access-token|chamber read|keyring get|sops (?:-d|exec)|ansible-vault view|openssl rand|consul keygen|etcdctl get|kv get|output -raw|config get|settings\.[A-Z_]{3,60}|/(?:run/)?secrets/)"
        r"[^\n\x1f)]{0,160}?"
        + _LINE
        + r"(?:(?:Out\[[0-9]{1,4}\]: |=> |/[a-z0-9_./-]{1,80}(?:\r?\n|\\{1,3}n))[ \t]{0,4})?[\"']?([A-Za-z0-9$!+/_~.-][^\s\x1f\"'`<>]{9,1024})",
        (
            "versions access",
            "secrets get",
            "secret-tool",
            "security find-",
            "config:get",
            "op read",
            "op item",
            "bw get",
            "lpass",
            "pass show",
            "gopass",
            "-field=",
            "secretsmanager get-",
            "ssm get-",
            "keyvault secret",
            "get secret",
            "auth token",
            "print-access-token",
            "chamber read",
            "keyring get",
            "sops ",
            "ansible-vault",
            "openssl rand",
            "consul keygen",
            "etcdctl get",
            "kv get",
            "output -raw",
            "config get",
            "settings.",
            "secrets/",
        ),
        "commands that print a secret and nothing else",
        (
            "$ gcloud secrets versions access latest --secret=acme\n" + UUID + "\n$ ",
            "In [1]: settings.ACME_TOKEN\nOut[1]: '" + H * 5 + "'",
        ),
        ("$ kubectl get secret\nNAME TYPE\n", "op read op://a/b\n[ERROR] not signed in"),
        reads="output",
        weight=1,
    ),
    Rule(
        "masked-by-runner",
        r"(?:::add-mask::|;issecret=true\]|##teamcity\[setParameter name='[^'\n]{1,80}' value=')([^\s\"'`]{6,1024})",
        ("::add-mask::", ";issecret=true]", "##teamcity[setparameter"),
        "https://docs.github.com/actions/reference/workflow-commands-for-github-actions#masking-a-value-in-a-log, Azure Pipelines: what a log is told to hide",
        (
            'echo "::add-mask::' + H * 4 + '"',
            "##vso[task.setvariable variable=X;issecret=true]" + UUID,
        ),
        ('echo "::add-mask::$TOKEN"', ";issecret=true]$(X)"),
        reads="opaque",
        weight=1,
    ),
    Rule(
        "enclosed-text",
        r"(?i)(?:token|key|secret|password|passphrase)[ ]?(?:\([^()\n]{1,24}\))?[:|]{0,2}[ ]?(?:</[a-z0-9]{1,10}>|\|)\s{0,8}(?:<[a-z0-9]{1,10}(?: [^<>\n]{0,80})?>\s{0,4}(?:<[a-z0-9]{1,10}(?: [^<>\n]{0,80})?>)?|\{[a-z:]{1,16}\})([^\s<>{}|\"']{10,512})[<{]",
        ("token", "key", "secret", "passw", "passphrase"),
        "HTML and Jira: a label in its element, and the value alone in the next",
        (
            "<p>Your Acme token:</p><pre>" + H * 5 + "</pre>",
            "|Acme key|{noformat}" + UUID + "{noformat}|",
        ),
        ("<th>Token</th><th>Description</th>", "<td>key</td><td>name-of-the-thing</td>"),
        reads="opaque",
        starts=("token", "key", "secret", "passw", "passphrase"),
        weight=1,
    ),
    Rule(
        "concealed-field",
        r"(?i)\"type\\{0,3}\":\s{0,4}\\{0,3}\"concealed\\{0,3}\"[^{}\x1f]{0,400}?\"value\\{0,3}\":\s{0,4}",
        ("concealed",),
        "https://developer.1password.com/docs/cli/reference/management-commands/item/",
        (
            '{"type": "CONCEALED", "label": "setup key", "value": "' + UUID + '"}',
            '{\n "type": "CONCEALED",\n "purpose": "PASSWORD",\n "value": "' + "hunt" + 'er2"}',
        ),
        ('{"type": "CONCEALED", "label": "x"}', '{"type": "CONCEALED", "value": "[hidden]"}'),
        reads="concealed",
        weight=1,
    ),
    Rule(
        "listed-header",
        NAME + r"[\"']?(:)[ \t]{0,4}\r?\n[ \t]{0,32}-[ \t]{1,4}",
        KEYWORDS,
        "cassettes of VCR and Betamax, Envoy and Traefik: the values of a header as a list",
        (
            "headers:\n  Acme-Key:\n  - " + B * 4 + "\n",
            "Authorization:\n      - Bearer " + B * 3 + "\n",
        ),
        ("tokens:\n  - name\n", "secrets:\n  - db-password\n  - api-key-2\n"),
        reads="first_item",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "encoded-service-account",
        r"\b(?:eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC|eyJ0eXBlIjoic2VydmljZV9hY2NvdW50I|ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC|ewogICAgInR5cGUiOiAic2VydmljZV9hY2NvdW50I|eyJhdXRocyI6|ewogICJhdXRocyI6|ewoJImF1dGhzIjog)[A-Za-z0-9+/_-]{24}",
        tuple(
            word.lower()
            for word in (
                "eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC eyJ0eXBlIjoic2VydmljZV9hY2NvdW50I "
                "ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC ewogICAgInR5cGUiOiAic2VydmljZV9hY2NvdW50I "
                "eyJhdXRocyI6 ewogICJhdXRocyI6 ewoJImF1dGhzIjog"
            ).split()
        ),
        "https://cloud.google.com/iam/docs/keys-create-delete, https://docs.docker.com/reference/cli/docker/login/: such files in base64",
        ("KEY=" + "eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC" + B * 20, "eyJhdXRocyI6" + B * 12),
        ("eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC",),
        reads="body",
    ),
)
