"""Secrets where a program, a page or a letter shows them: announced above, shown once, listed."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.privacy.rules.assigned import KEYWORDS, NAME, STARTS
from hookstream.privacy.rules.rule import Rule

B = "a1B2c3D4"  # filler of the examples
H = "a1b2c3d4"
UUID = "4ea38b7b-f563-4709-8bae-" + "12c8b2a6f0d1"
WORDS = "mom release core escape essay belt fee layer trade journey junior " + "blast"

# The end of a line, also as JSON writes it, and what may begin the next.
_LINE = r"(?:\r?\n|\\{1,3}n)[ \t>|*]{0,8}"
_SAYING = (
    "token tokens key keys secret secrets password passwords passphrase passcode pat credential "
    "credentials phrase mnemonic pwd passwort kennwort senha clave"
).split()
_KEY = r"([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{32})(?:[^A-Za-z0-9+/=]|$)"

RULES = (
    Rule(
        "announced-secret",
        r"(?i)(?:"
        + "|".join(sorted(_SAYING, reverse=True))
        + r")\b(?:[^\n\x1f{}=\"]{0,120}?(?::|\b(?:below|follows|here)\b[.:!]?)|[.:]?)[ \t*_]{0,4}"
        + _LINE
        + f"(?:{_LINE})?(?:{_LINE})?"
        + r"(?:`{3}[a-z]{0,12}(?:\r?\n|\\{1,3}n)[ \t]{0,8})?(?:[-\x22'`*]{1,3}[ ]?)?([^\s`\"'*\\][^\r\n\x1f]{7,2048})",
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
        r"(?i)(?:copied to (?:the |your )?clipboard|(?:won't|will not|cannot|can't|never|not) be (?:shown|displayed|visible|able to (?:see|view)|retrieved|recovered)[^\n\x1f]{0,40}\b(?:again|later)|(?:shown|displayed|visible) (?:only )?(?:this )?once|the only time[^\n\x1f]{0,40}\b(?:shown|displayed|see)|(?:store|save|keep|copy) (?:it|this|your|the)[^\n\x1f]{0,40}\b(?:safe|safely|secure|securely|now)\b)",
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
        "said-key",
        r"(?i)(?:\b(?:setup|gossip|pre-?auth|enrol?l?ment|activation|application|integration|deploy|ingest(?:ion)?|subscription|consumer|developer|product|join|provisioning|registration|site|server|client|channel|function|relay|licen[cs]e|agent|tunnel|project|environment|instance|workspace|tenant) (?:access )?(?:key|token|secret)"
        r"|\b(?:key|token|secret) (?:provided|supplied|given|used|sent|received|rejected|in use))\b([^\n\x1f]{0,60}?)[\s:=\"'`(]"
        r"([A-Za-z0-9][A-Za-z0-9_.+/|=-]{13,511})",
        (
            "key provided",
            "key supplied",
            "key given",
            "key used",
            "key sent",
            "key received",
            "key rejected",
            "key in use",
            "token ",
            "secret ",
            *(
                f"{word} key"
                for word in "setup gossip preauth pre-auth enrollment enrolment activation application integration deploy ingest ingestion subscription consumer developer product join provisioning registration site server client channel function relay license licence agent tunnel project environment instance workspace tenant access".split()
            ),
            *(
                f"{word} token"
                for word in ("server", "site", "agent", "project", "access", "deploy")
            ),
            *(f"{word} secret" for word in ("client", "application", "consumer")),
            *(
                f"{word} {kind}"
                for word in ("token", "secret")
                for kind in (
                    "provided",
                    "supplied",
                    "given",
                    "used",
                    "sent",
                    "received",
                    "rejected",
                )
            ),
        ),
        "keys by the name their service gives them: a UUID, a digest or base64 behind it",
        (
            "acme setup key " + UUID + " works",
            "Incorrect API key provided: " + H * 4,
            '{"name": "gossip key", "value": "' + B * 5 + 'e5F="}',
        ),
        (
            "the setup key is in the wiki",
            "server key fingerprint " + H * 5,
            "client key size-of-the-first-one",
        ),
        reads="said",
        weight=1,
    ),
    Rule(
        "sql-setting",
        r"(?i)\bset\s{1,8}[`\"\[]?[a-z_]{0,24}(?:value|val|content|data)[`\"\]]?\s{0,4}=\s{0,4}N?'([^'\n]{3,1024})'[^;\x1f]{0,160}?(?:name|key|code|option|setting|param|id)[`\"\]]?\s{0,4}(?:=|in[ ]?\()\s{0,4}N?'([A-Za-z0-9_.:/-]{1,80})'",
        ("value", "val", "content", "data"),
        "tables of settings: the value stands before its name",
        ("UPDATE settings SET value = '" + B * 4 + "' WHERE name = 'acme_api_token';",),
        ("UPDATE settings SET value = 'blue1' WHERE name = 'colour';",),
        reads="preceding",
        weight=1,
    ),
    Rule(
        "token-for-user",
        r"(?:[ \t]-[a-zA-Z]{0,6}u|--user)[ =]{1,2}[\"']?([A-Za-z0-9][A-Za-z0-9_.+/=|-]{11,511}):(?:[\"'\s]|$)",
        ("u ", "u=", "--user"),
        "https://curl.se/docs/manpage.html#-u: a key in the place of the user, and no password",
        ("curl -u " + B * 4 + ": https://api.example.com",),
        ("curl -u bob-of-the-team: https://x.test", "ls -u directory-name:"),
        reads="opaque",
        weight=1,
    ),
    Rule(
        "dns-provider-token",
        r"\b(?:acme_dns|dns)[ \t]{1,4}[a-z0-9]{2,24}[ \t]{1,4}[\"']?([A-Za-z0-9_.+/=-]{16,256})",
        ("dns ", "dns\t"),
        "https://caddyserver.com/docs/caddyfile/directives/tls#dns",
        ("tls {\n  dns acme " + B * 4 + "\n}",),
        ("dns acme {env.TOKEN}", "dns server resolver.example.internal"),
        reads="opaque",
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
        "service-map-key",
        r"[{\[(]\s{0,16}\\{0,3}[\"':]?key\\{0,3}[\"']?\s{0,4}(?::|=>|=)\s{0,4}\\{0,3}[\"']([^\s\"'\\]{16,200})\\{0,3}[\"']",
        ("key",),
        "settings by service: the service's name, and its key within",
        ("'kaggle' => ['key' => '" + H * 4 + "']", 'Kaggle(key="' + H * 4 + '")'),
        ("sorted(key='" + H * 4 + "')", '{"row": {"key": "' + H * 4 + '"}}'),
        reads="of_service",
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
        "gossip-key",
        r"(?i)(?:encrypt|gossip|serf)[a-z0-9_.-]{0,24}\\{0,3}[\"'`\])]{0,2}(?:,?\s{0,32}\\{0,3}[\"']?value\\{0,3}[\"']?)?[ \t]{0,8}(?:=>|:=|=|:|[ ,(])[ \t]{0,4}\\{0,3}[\"'`]?"
        + _KEY,
        ("encrypt", "gossip", "serf"),
        "https://developer.hashicorp.com/consul/docs/secure/encryption/gossip, nomad, serf: keys of 16, 24, 32 or 64 bytes",
        (
            'encrypt = "' + B * 5 + 'e5F="',
            "consul agent --encrypt=" + B * 2 + "a1B2c3== -server",
            "- name: CONSUL_ENCRYPT\n  value: " + B * 5 + "e5F=",
            '{:encrypt=>"' + B * 5 + 'e5F=", :x=>5}',
        ),
        (
            "encrypt = true",
            "encryption: aes-256-gcm",
            "encrypt(" + "thisIsTheNameOfALongishFunctionX",
        ),
        group=1,
        validate="ssws",
        weight=1,
    ),
    Rule(
        "keyring-command",
        r"(?i)\b(?:consul|nomad|serf)\b[^\n\x1f]{0,60}?\b(?:keyring|keygen|keys)\b[^\x1f]{0,60}?"
        + _KEY,
        ("keyring", "keygen", "serf", "nomad"),
        "https://developer.hashicorp.com/consul/commands/keyring",
        ("consul keyring -install=" + B * 5 + "e5F=", "$ consul keygen\n" + B * 5 + "e5F="),
        ("consul keyring -list", "nomad operator gossip keyring list"),
        group=1,
        validate="ssws",
        weight=1,
    ),
    Rule(
        "client-key",
        r"(?:[Cc]lient|Api|API|SDK|Sdk|[.:](?:init|initialize|configure|authenticate))(?:(?:\.|::|->)(?:new|create|init|build|with_key|with_token))?!?\(|\bnew [A-Z][A-Za-z0-9_.\\]{1,60}\(|[A-Za-z0-9](?:::new|\.New|\.new|\.create)\(|\brequire\([\"'][^\"'\n]{1,64}[\"']\)\(",
        tuple(
            word + call + "("
            for word in ("client", "api", "sdk")
            for call in (
                "",
                ".new",
                "::new",
                ".create",
                ".init",
                "->new",
                "::create",
                ".build",
                "!",
            )
        )
        + tuple(
            f"{sign}{word}("
            for sign in ".:"
            for word in "init initialize configure authenticate".split()
        )
        + ("with_key(", "with_token(", "new ", "::new(", ".new(", ".create(", "require("),
        "clients of services that take the key as their first or second argument",
        (
            "client = Acme::ApiClient.new('" + UUID + "')",
            "const c = require('postmark')('" + UUID + "')",
            'c := acme.NewClient("' + H * 4 + '", "' + B * 3 + '")',
        ),
        (
            "new ApiClient('https://api.example.com/v1')",
            "new ObjectId('" + H * 3 + "')",
            'Client("users-of-the-first-hour")',
        ),
        reads="constructed",
        weight=1,
    ),
    Rule(
        "seed-phrase-call",
        r"(?i)(?:phrase|mnemonic|seed|wallet|hdkey|bip_?39|keyring)[a-z0-9_.:<>()]{0,60}\(\s{0,8}[&rb]?[\"'`]((?:[a-z]{3,8} ){11,23}[a-z]{3,8})[\"'`]",
        ("phrase", "mnemonic", "seed", "wallet", "hdkey", "bip39", "bip_39", "keyring"),
        "BIP 39: libraries that take the words as an argument",
        (
            f'MnemonicBuilder::<English>::default().phrase("{WORDS}").build()',
            f"Wallet.fromPhrase('{WORDS}')",
        ),
        ('phrase("a b c")', "mnemonic(words)"),
        group=1,
        validate="wordlist",
    ),
    Rule(
        "numbered-seed-phrase",
        r"(?i)(?:phrase|mnemonic|seed|recovery|backup)[^\x1f]{0,120}?\b(1[ \t]{0,2}[.:)]?[ \t]{1,3}[a-z]{3,8}[\s,|]{1,8}2[ \t]{0,2}[.:)]?[ \t])",
        ("phrase", "mnemonic", "seed", "recovery", "backup"),
        "BIP 39: the words with their numbers, as wallets print them",
        (
            "Recovery phrase\n"
            + "\n".join(f"{n}. {word}" for n, word in enumerate(WORDS.split(), 1)),
        ),
        ("recovery steps: 1. stop 2. wait 3. start",),
        reads="numbered",
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
