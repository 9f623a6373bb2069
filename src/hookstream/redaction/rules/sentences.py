"""Secrets as people tell them to one another."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

# Password, secret, token, key as other scripts write them; literals only, in no class.
_ONE_WORD = tuple(
    "\u043f\u0430\u0440\u043e\u043b \u041f\u0430\u0440\u043e\u043b \u0442\u043e\u043a\u0435\u043d "
    "\u0422\u043e\u043a\u0435\u043d \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4 \u4ee4\u724c \u5bc6\u94a5 "
    "\u91d1\u9470 \u30d1\u30b9\u30ef\u30fc\u30c9 \u30c8\u30fc\u30af\u30f3 "
    "\u79d8\u5bc6\u9375 \ube44\ubc00\ubc88\ud638 \uc554\ud638 \ud1a0\ud070 "
    "\u03ba\u03c9\u03b4\u03b9\u03ba \u05e1\u05d9\u05e1\u05de "
    "\u0643\u0644\u0645\u0629 \u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19 "
    "\u092a\u093e\u0938\u0935\u0930\u094d\u0921 jelsz\u00f3 Jelsz\u00f3 palavra-passe Palavra-passe".split()
)
FOREIGN = (
    *_ONE_WORD,
    "m\u1eadt kh\u1ea9u",
    "M\u1eadt kh\u1ea9u",
    "kata sandi",
    "Kata sandi",
)

RULES = (
    Rule(
        "credential-pair",
        r"(?i)\b(?:credentials?|creds|zugangsdaten|logindaten|anmeldedaten|identifiants|credenciales|credenziali|zugang|u/p|user/pass|(?:wifi|wlan|ssh|ftp|sftp|rdp|vpn):|login|account|log in|sign in)(?: for [a-z0-9-]{1,24})?(?: is| are| with| as| using)?"
        r"[ \t]{0,2}[:=]?[ \t]{1,3}[\"'`]?[a-z0-9._@-]{2,64}[\"'`]?[ ]?[/:|][ ]?[\"'`]?"
        r"([^\s\"'`/:|]{6,128})",
        (
            "cred",
            "login",
            "zugang",
            "u/p",
            "wifi:",
            "wlan:",
            "ssh:",
            "ftp:",
            "rdp:",
            "vpn:",
            "user/pass",
            "anmeldedaten",
            "identifiants",
            "account",
            "log in",
            "sign in",
        ),
        "how people write a user and a password side by side",
        ("credentials: bob / " + "Hunt" + "er2!", "log in with bob:" + "Hunt" + "er2!"),
        ("login at https://x.test", "account: a/b", "credentials are in vault: path2"),
        reads="paired",
        weight=1,
    ),
    Rule(
        "login-password-words",
        r"(?i)\b(?:login|user|username)[ \t]{1,4}[^\s,;=]{1,64}(?: and| with| /| the){0,2}[ \t]{1,4}password[ \t]{1,4}([^\s\"',;]{3,128})",
        ("password",),
        "netrc and device configuration: user NAME password VALUE",
        ("username admin password " + "Hunt" + "er2!9",),
        ("login form password field", "user alice password is"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "prose-secret",
        "(?i)(pass(?:word| ?phrase|code|wd)|\u015fifre|\u015eifre|l\u00f6senord(?:et)?|"
        r"(?:\b|_)(?:pw|p/w|pass|secret(?: key)?|(?:api|access|secret|private|auth|bearer|"
        r"license|admin|root|fernet|app|account|write|signing|encryption|master|session|webhook|service|personal) (?:key|token|password)|api ?key|token|pwd|credentials?|pin|key|kennwort|mot de passe|mdp|clave|"
        r"contrase[^\s]{1,2}a|senha|passwort|wachtwoord|has[^\s]{1,2}o|parola|heslo|losenord|passord|adgangskode|salasana"
        r"|schl[^\s]{1,2}ssel|cl[^\s]{1,2} (?:secr[^\s]{1,2}te|priv[^\s]{1,2}e)|(?:chiave|llave|chave|clave) (?:segreta|secreta|privada)"
        r"|shared secret|pre-?shared key|psk|(?:wifi|wlan|wpa2?)[ -](?:key|code|schl[^\s]{1,2}ssel)))"
        r"((?: (?:for|of|to|on|in|at|from|after|since|by|do|da|de|del|di|du|van|von|der|f[^\s]{1,2}rs?|pour|para|per|you) [a-z0-9_.@/'-]{1,40}"
        r"(?: [a-z0-9_.@/-]{1,40}){0,3}?)?(?: \([^)\n]{1,40}\)| (?:admin|root|wifi|wlan|nueva|nouveau|nuova|nova|temporal|actual))?"
        r"(?:,? (?:lautet|ist|est|c'est|es|era|war|foi|jest|je|este|[^\x00-\x7f]{1,2}r|adalah|var|er|on|is|was|=|equals|being|are|type|enter|use|try|(?:will|should|must|has to|needs to|is going to) be|as|(?:(?:was|is|has been) )?(?:(?:re)?set to|changed to)|wurde auf)"
        r"(?: now| still| set to| simply| currently| jetzt| nun){0,2}"
        r"|[ ]?(?:=>|->|[:=])|,| -|'s|[ ]?[^\x00-\x7f]{1,3}[:=]?)|)[ ]?:?[ ]{1,3}((?:\*\*)?[\"'`(]?)([^\s\"'`]{4,256})",
        (
            "shared",
            "psk",
            "wifi",
            "wlan",
            "wpa",
            "pass",
            "pw",
            "p/w",
            "secret",
            "key",
            "token",
            "pwd",
            "credential",
            "pin",
            "kennwort",
            "contrase",
            "senha",
            "wachtwoord",
            "has",
            "parola",
            "heslo",
            "senord",
            "adgangskode",
            "salasana",
            "mdp",
            "clave",
            "ifre",
            "ssel",
            " secr",
            " priv",
            "chiave",
            "llave",
            "chave",
        ),
        "how people write a secret into a prompt",
        (
            "the password is " + "hunt" + "er2",
            "my api key: " + "q9Zx" * 5,
            "use token " + "q9Zx" * 5 + " for this",
        ),
        (
            "the password is required",
            "the token was expired",
            "secret is not set",
            "token count 100",
        ),
        reads="prose",
        starts=(
            "pass",
            "pw",
            "p/w",
            "secret",
            "api",
            "write",
            "signing",
            "encryption",
            "master",
            "session",
            "webhook",
            "service",
            "personal",
            "access",
            "private",
            "auth",
            "bearer",
            "licen",
            "admin",
            "root",
            "fernet",
            "app ",
            "account ",
            "token",
            "credential",
            "pin",
            "key",
            "kennwort",
            "mot de",
            "contrase",
            "senha",
            "wachtwoord",
            "has",
            "parola",
            "heslo",
            "_",
            "l\u00f6",
            "losenord",
            "adgangskode",
            "salasana",
            "mdp",
            "clave",
            "schl",
            "cl\u00e9 ",
            "chiave",
            "llave",
            "chave",
            "\u015f",
            "pre-sh",
            "psk",
            "wifi",
            "wlan",
            "wpa",
        ),
        weight=1,
    ),
    Rule(
        "secret-set-to",
        r"(?i)\b(?:re)?(?:set|chang|updat|switch|rotat)[a-z]{0,4} [a-z0-9_. -]{0,72}?(passw(?:or)?d|passphrase|secret|token|key|pwd|\bpw|_pass)"
        r"( (?:from [^\s]{1,64} )?to):?[ ]{1,3}((?:\*\*)?[\"'`]?)([^\s\"'`]{4,256})",
        ("passw", "passphrase", "secret", "token", "key", "pw", "_pass"),
        "how people write of a secret they changed",
        (
            "I set WEBHOOK_SECRET to " + "q9Zx" * 5 + " yesterday",
            "change the password from a1 to " + "hunt" + "er2",
        ),
        (
            "set the token to the new value",
            "change the key to something else",
            "set max_tokens to 4096",
        ),
        reads="prose",
        weight=1,
    ),
    Rule(
        "secret-changed-from",
        r"(?i)(passw(?:or)?d|passphrase|secret|token|key|pwd|\bpw|\bpass)(?: base| was changed| has changed| changed)?( from) ([\"'`]?)([^\s\"'`]{4,256})[\"'`]? to ",
        tuple(f"{word} from" for word in "d passphrase secret token key pwd pw pass base".split()),
        "how people write of a secret they changed",
        ("I changed the db password from " + "hunt" + "er2-99 to a better one",),
        ("move the key from left to right", "rename the token from id to name"),
        reads="prose",
        weight=1,
    ),
    Rule(
        "secret-before-word",
        r"(?i)\b(?:use|using|used|take|try|tried|have|enter|entered|type|typed|paste|pasted|choose|chose|set|put|nimm|nutze|verwende|benutze|utilise[rz]?|mets|mettez|and|with|prends|usa|usar|use|pon"
        r"|gebruik|u[^\s]{1,2}yj|is|was)(?: bitte| please| mal)?[ ]([\"'`]?)([^\s\"'`]{5,128})[\"'`]?[ ](as|for|the|our|your|my|als|f[^\s]{1,2}r|comme|pour|como|para|come|per|jako|"
        r"when asked for|at)(?: [a-z0-9_.@/'-]{1,24}){0,4}? "
        r"(?:password|passphrase|passwort|kennwort|mot de passe|mdp|contrase[^\s]{1,2}a|clave|senha|wachtwoord|has[^\s]{1,2}o|"
        r"pw|pwd|(?:api|access|private|secret|master|encryption|signing) key|token|secret)(?: base)?(?:[.,;!?)]|\s|$)",
        (
            "passw",
            "passphrase",
            "kennwort",
            "de passe",
            "mdp",
            "contrase",
            "clave",
            "senha",
            "wachtwoord",
            "has",
            "pw",
            "key",
            "token",
            "secret",
        ),
        "how people write a secret into a prompt: the value first",
        (
            "use " + "hunt" + "er2 as the db password",
            "nimm '" + "Hunt" + "er2!x' als Passwort",
            "I'll use " + "b7C3" * 5 + " for the api key",
        ),
        (
            "use bcrypt for the password hash",
            "use this as the password",
            "using argon2 for the password",
            "set it as the token",
        ),
        reads="before",
        weight=1,
    ),
    Rule(
        "secret-is-the-word",
        r"(?i)[\"'`]? \(?(?:is|was|that's|ist|war|est|era|es)(?: still| now)?"
        r" (?:the|our|my|your|his|her|their|das|mein|unser|le|mon|notre|la|mi|a|minha)(?: [a-z0-9-]{1,16}){0,3}? "
        r"(?:password|passphrase|passwort|kennwort|mot de passe|contrase[^\s]{1,2}a|senha|pw|pwd|api key|token|secret)(?:[.,;:!?)]|\s|$)",
        (
            "passw",
            "passphrase",
            "kennwort",
            "de passe",
            "contrase",
            "senha",
            "pw",
            "key",
            "token",
            "secret",
        ),
        "how people write a secret into a prompt: the value, then what it is",
        (
            "x" + "K9mP2vL" + "5n! is the new root password",
            "Hunt" + "er2!x (that's the password)",
        ),
        ("bcrypt is the password hash", "this is the password", "what was the token?"),
        reads="subject",
        weight=1,
    ),
    Rule(
        "account-then-password",
        r"(?i)\b(?:login|log in|logged in|log on|connect(?:ed)?|sign in|ssh(?: in)?)\b[^\n]{0,70}? (?:as|is|user|with) [a-z0-9_@.-]{2,80}"
        r"(?: with|,? using| and|[ ]?/|:)(?: the)?(?: password)? [\"'`]?([^\s\"'`]{5,128})",
        ("log", "connect", "sign in", "ssh"),
        "how people write a user and a password one after the other",
        ("connect as sa with " + "Hunt" + "er2!x", "ssh in with root / " + "hunt" + "er2-99"),
        ("log in as root with sudo", "connect with user and token"),
        reads="beside",
        starts=("log in", "login", "logged", "log on", "connect", "sign in", "ssh"),
        weight=1,
    ),
    Rule(
        "user-and-password",
        r"(?i)\b(?:u|user|usr|usuario|benutzer|utilisateur|utente)(?:: ?| [\"']?)[a-z0-9_.@-]{1,80}[\"']?[ ,;/|]{1,3}(?:p: ?|pw:? |pass:? |pwd:? |clave:? |kennwort:? |mdp:? )[\"'`]?([^\s\"'`,;]{5,128})",
        tuple(
            f"{sign}{word}"
            for sign in " ,;/|"
            for word in "p: pw pass pwd clave kennwort mdp".split()
        ),
        "how people write a user and a password one after the other",
        ("u: bob p: " + "Hunt" + "er2!x", 'user "bob" pass "' + "hunt" + 'er2-99"'),
        ("user guide p. 12345", "user bob passed 3 tests", "user: bob, password: required"),
        reads="beside",
        starts=("u:", "user", "usr", "usuario", "benutzer", "utilisateur", "utente"),
        weight=1,
    ),
    Rule(
        "foreign-secret",
        "(?:"
        + "|".join(FOREIGN)
        + r")[^\x21-\x7e\n]{0,72}(?:[:=][^\x21-\x7e\n]{0,72})?(?:\*\*|[\"'`(\[])?([\x21-\x7e]{5,256})",
        tuple(dict.fromkeys(word.lower() for word in FOREIGN)),
        "how people write a secret into a prompt, in scripts other than Latin",
        (
            "\u043f\u0430\u0440\u043e\u043b\u044c: " + "Hunt" + "er2!",
            "\u5bc6\u7801\u662f " + "Hunt" + "er2!9",
        ),
        (
            "\u5bc6\u7801\u5fc5\u987b\u81f3\u5c11 8 \u4e2a",
            "\u043f\u0430\u0440\u043e\u043b\u044c: required",
        ),
        reads="foreign",
        weight=1,
    ),
)
