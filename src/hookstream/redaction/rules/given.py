"""Keys of services as they are said, piped and handed to calls, commands and tables of settings."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

B = "a1B2c3D4"  # filler of the examples
H = "a1b2c3d4"
UUID = "4ea38b7b-f563-4709-8bae-" + "12c8b2a6f0d1"
WORDS = "legal winner thank year wave sausage worth useful legal winner thank " + "yellow"

# Base64 of 32, 16 or 64 bytes, and of 24.
_KEY = r"([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{32})(?:[^A-Za-z0-9+/=]|$)"
# What is set before `key` in the names that services give to theirs.
_MAKING = (
    "setup gossip preauth pre-auth enrollment enrolment activation application integration deploy "
    "ingest ingestion subscription consumer developer join registration server client relay "
    "license licence agent tunnel"
).split()

RULES = (
    Rule(
        "said-key",
        r"(?i)(?:\b(?:setup|gossip|pre-?auth|enrol?l?ment|activation|application|integration|deploy|ingest(?:ion)?|subscription|consumer|developer|join|registration|server|client|relay|licen[cs]e|agent|tunnel) (?:access )?(?:key|token|secret)"
        r"|\b(?:key|token|secret) (?:provided|supplied|rejected))\b([^\n\x1f]{0,48}?)[\s:=\"'`(]"
        r"([A-Za-z0-9][A-Za-z0-9_.+/|=-]{13,511})",
        (
            *(
                f"{word} {done}"
                for word in ("key", "token", "secret")
                for done in ("provided", "supplied", "rejected")
            ),
            *(
                f"{word} {kind}"
                for kind in ("key", "token", "secret", "access")
                for word in _MAKING
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
        r"(?:[ \t]-[a-zA-Z]{0,6}u|--user|\bauth)(?:[ =]{1,2}|=\()[\"']?([A-Za-z0-9][A-Za-z0-9_.+/=|-]{11,511})(?::(?:[\"'\s]|$)|[\"'], ?[\"'][x]?[\"']\))",
        ("u ", "u=", "--user", "auth=("),
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
        "said-key-elsewhere",
        r"(?:(?i:api|zugriffs|zugangs)[- _]?(?:(?i:schl).{1,2}ssel|(?i:sleutel|nyckel|anahtar)|"
        "\u30ad\u30fc|\u5bc6\u94a5|\u5bc6\u9470|\ud0a4"
        r")|(?i:cl).{1,2} (?i:d.|de l.)?API|(?i:chave|clave|llave|chiave) (?i:de |da |dell.|del )?API|(?i:jeton)|(?i:klucz|klic) API|"
        "\u043a\u043b\u044e\u0447"
        r")([^\n\x1f]{0,80}?)[\s:=\"'`(]([A-Za-z0-9][A-Za-z0-9_.+/|=-]{13,511})",
        (
            "ssel",
            "sleutel",
            "nyckel",
            "anahtar",
            "\u30ad\u30fc",
            "\u5bc6\u94a5",
            "\u5bc6\u9470",
            "\ud0a4",
            " api",
            "\u2019api",
            "'api",
            "jeton",
            "\u043a\u043b\u044e\u0447",
        ),
        "keys of services as people speak of them in other languages",
        ("der API-Schl\u00fcssel lautet " + UUID, "la chiave API di Acme \u00e8 " + H * 4),
        ("der API-Schl\u00fcssel lautet anders", "la chiave API fehlt"),
        reads="said",
        weight=1,
    ),
    Rule(
        "token-is-the-word",
        r"[\"'`]? \(?(?:is|was) (?:still |now )?(?:the|our|my|your|an?) [^\n\x1f.:=]{0,48}?\b(?:token|key|secret)(?:[.,;!?)\\\"]|\s|$)",
        ("token", "key", "secret"),
        "how people write a token into a prompt: the value, then what it is",
        (UUID + " is the Acme server token, use it", B * 4 + " was our old API key."),
        ("this is the token", "bcrypt_hash-2 is the key", UUID + " is the id of the key"),
        reads="subject_token",
        starts=(" is", " was", "'", '"', "`"),
        weight=1,
    ),
    Rule(
        "piped-secret",
        r"\b(?:echo|printf)(?: -n| -e| -ne| ['\"]%s['\"])? [\"']?([^\s\"'|$`]{10,512})[\"']?[ ]{0,2}\|[ ]{0,2}"
        r"(?:base64(?: -w ?0| --wrap=0)?[ \t]{0,8}(?:$|[|>)\"'`\r\n])|[a-z./-]{2,24} (?:[a-z-]{1,16} ){0,3}(?:login|secrets?|auth)\b)",
        ("base64", "login", "secret", "auth"),
        "shell: a secret handed to a command that reads it",
        ("echo -n '" + B * 4 + "' | base64",),
        (
            "echo " + B * 4 + " | base64 -d > notes.txt",
            "echo '" + H * 5 + "' | xxd -r",
            "echo $TOKEN | base64",
            "echo done | tee x",
        ),
        reads="piped",
        weight=1,
    ),
    Rule(
        "bundle-credential",
        r"\bbundle config (?:set )?(?:--[a-z]{2,12} )?[A-Za-z0-9_.:/-]{3,128} ([A-Za-z0-9_.+/=-]{16,512})",
        ("bundle config",),
        "https://bundler.io/man/bundle-config.1.html#CREDENTIALS-FOR-GEM-SOURCES",
        ("bundle config set --global gems.example.com " + H * 5,),
        ("bundle config set --local path vendor/bundle-of-the-app",),
        reads="opaque",
        weight=1,
    ),
    Rule(
        "gossip-key",
        r"(?i)(?:encrypt|gossip|serf)(?:ion)?(?:[_.-][a-z0-9_.-]{0,24}|key)?\\{0,3}[\"'`\])]{0,2}(?:,?\s{0,32}\\{0,3}[\"']?value\\{0,3}[\"']?)?[ \t]{0,8}(?:=>|:=|=|:|[ ,(])[ \t]{0,4}\\{0,3}[\"'`]?"
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
            "client = Postmark::ApiClient.new('" + UUID + "')",
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
)
