"""Secrets that commands, stores and servers print, and dialogues in which they are sent."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

_PROMPT = r"(?m)^[^\n]{0,60}?[$#>%][ ](?:sudo )?"
_LINE = r"\r?\n(?:\r?\n)?[ \t]{0,4}[\"']?([^\s\"'][^\s]{2,4095}?)[\"']?[ \t]{0,4}\r?(?:\n|$)"

OUTPUTS = (
    Rule(
        "password-store-output",
        _PROMPT
        + r"(?:pass(?: show| -c)?[ ][A-Za-z0-9][^\n]{0,120}/|pass show|gopass (?:show )?-o|gopass show|bw get password|rbw get|lpass show[^\n]{0,40}--password|op read|op item get[^\n]{0,120}--reveal|keepassxc-cli show[^\n]{0,80}-s"
        r"|secret-tool lookup|security find-(?:generic|internet)-password|vault kv get -field|vault read -field|chamber read -q|aws secretsmanager get-secret-value|aws ssm get-parameter[^\n]{0,80}--with-decryption"
        r"|gcloud secrets versions access|az keyvault secret show|argocd admin initial-password|sops (?:-d|decrypt)[^\n]{0,60}--extract|pwgen|makepasswd|apg|xkcdpass|diceware|heroku config:get|fly(?:ctl)? auth token|rails secret|rake secret"
        r"|mix phx\.gen\.secret|openssl rand|oc whoami -t|kubeadm token create|kubectl get secrets?[^\n]{0,200}base64|k get secrets?[^\n]{0,200}base64|dokku config:get|doppler secrets get|infisical secrets get|pass generate|psono|ykman oath accounts code|oathtool)[^\n]{0,200}"
        + _LINE,
        (
            *(
                "pass ",
                "gopass",
                "bw get",
                "rbw get",
                "lpass",
                "op read",
                "op item",
                "keepassxc-cli",
            ),
            *(
                "secret-tool",
                "security find",
                "vault kv",
                "vault read",
                "chamber",
                "secretsmanager",
            ),
            *(
                "ssm get",
                "gcloud secrets",
                "keyvault",
                "argocd",
                "sops",
                "pwgen",
                "makepasswd",
                "apg",
            ),
            *(
                "xkcdpass",
                "diceware",
                "config:get",
                "auth token",
                "rails secret",
                "rake secret",
                "phx.gen",
            ),
            *(
                "openssl rand",
                "whoami -t",
                "token create",
                "get secret",
                "doppler",
                "infisical",
                "psono",
            ),
            *("ykman", "oathtool"),
        ),
        "the manuals of password managers and stores, with what they print at a prompt",
        (
            "$ pass show db/prod\n" + "Liver" + "pool\nurl: x",
            "$ argocd admin initial-password -n argocd\n" + "cmso" + "qkbpkTKR\n\n This password",
        ),
        (
            "$ pass show db/prod\nerror: not found\n",
            "$ openssl rand -hex 8\n$ ls\n",
            "$ pass show x\nError:\n",
        ),
        reads="printed",
        weight=1,
    ),
    Rule(
        "secret-file-output",
        _PROMPT
        + r"(?:cat|less|more|head(?: -[a-z]? ?[0-9]{1,3})?|tail|type|bat|Get-Content|gc|xxd -ps?|base64(?: -w ?0| -i)?|strings|docker exec [^\s]{1,64} cat|kubectl exec [^\n]{1,120} cat)[ ]([^\s|;&<>]{3,160})[ \t]{0,4}"
        + _LINE,
        (
            *("cat ", "less ", "more ", "head ", "tail ", "type ", "bat ", "get-content ", "gc "),
            *("xxd", "base64", "strings "),
        ),
        "a file whose name says that it holds a secret, and what it holds",
        (
            "$ cat /var/lib/rabbitmq/.erlang.cookie\n" + "JGIZ" * 5 + "\n",
            "$ xxd -p /run/secrets/db_password\n" + "68756e74" + "6572320a\n",
        ),
        ("$ cat notes.txt\nhello\n", "$ cat password.py\nimport\n", "$ cat /run/secrets/x\ncat:\n"),
        reads="of_file",
        weight=1,
    ),
    Rule(
        "stored-value-output",
        r"(?m)(?:>|[$#][ ](?:[^\n]{0,80}[ ])?(?:redis-cli|valkey-cli|etcdctl|consul kv|memcached|zk|riak)[^\n]{0,80}?)[ ](?:GET|get|HGET [^\s]{1,128}|hget [^\s]{1,128})[ ][\"']?([^\s\"']{3,200})[\"']?\r?\n[\"']?([^\s\"']{4,4096})[\"']?[ \t]{0,4}\r?(?:\n|$)",
        (" get ", " hget "),
        "Redis, etcd, Consul: a key whose last part says secret, and the answer",
        ('h:6379> GET app:web:secret_key\n"' + "a1b2c3d4" * 4 + '"',),
        ("h:6379> GET app:web:secret_key\n(nil)", 'h:6379> GET app:web:title\n"hello"'),
        reads="answered",
        weight=1,
    ),
    Rule(
        "unseal-keys",
        r"(?i)\b(?:unseal key|recovery key|key share|initial root token|root token)(?: [0-9]{1,2})?(?: \([^)\n]{1,24}\))?[ ]?: {1,8}([A-Za-z0-9+/=_.-]{16,128})[ \t]{0,4}\r?(?:\n|$)",
        ("unseal key", "recovery key", "key share", "root token"),
        "https://developer.hashicorp.com/vault/docs/commands/operator/init",
        ("Unseal Key 1: " + "mxVH_tnir-" * 4 + "g4",),
        ("Unseal Key (will be hidden):", "Initial Root Token: not-shown-here-ever"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "scanner-finding",
        r"(?m)^[ \t]{0,8}(?:Raw result|Raw|RawV2|Secret|Match|Finding)[ \t]{0,16}: {1,16}[\"']?([^\s\"']{8,4096})[\"']?[ \t]{0,4}\r?\n[ \t]{0,8}(?:File|Line|RuleID|Entropy|Commit|Detector|Secret|Decoder|Email|Repository|Fingerprint|Rule|Author|Start|Link)",
        ("raw", "secret", "match", "finding"),
        "https://github.com/trufflesecurity/trufflehog, https://github.com/gitleaks/gitleaks: what scanners of secrets report",
        ("Detector Type: Generic\nRaw result: " + "a1b2c3d4" * 4 + "\nFile: a.sh\nLine: 14",),
        ("Secret: none\nFile: a.sh", "Raw result: REDACTED\nFile: a"),
        reads="varied",
        weight=1,
    ),
    Rule(
        "set-up-password",
        r"(?:\bPASSWORD [a-z][a-z0-9_.-]{1,31} =|New value:|Bootstrap Password:|Root ?Pass(?:word)?:|Admin password(?: is)?:|password to proceed to installation:\r?\n)[ \t\r\n]{1,8}([^\s\"'<>]{4,256})[ \t]{0,4}\r?(?:\n|$)",
        (
            "password ",
            "new value:",
            "bootstrap password",
            "rootpass",
            "root pass",
            "admin password",
        ),
        "what servers print when they are set up: Elasticsearch, Jenkins, Rancher, MinIO",
        ("Changed password for user elastic\nPASSWORD elastic = " + "M4r1p" + "05a76\n",),
        ("PASSWORD elastic = $PW\n", "New value: 12\n"),
        reads="varied",
        weight=1,
    ),
    Rule(
        "wireless-key-content",
        r"(?m)^[ \t]{0,8}(?:Key Content|Schl[^\s]{1,2}sselinhalt|Contenu de la cl[^\s]{1,2}|Contenido de la clave|Contenuto chiave|Conte[^\s]{1,2}do da Chave)[ \t]{0,24}: ([^\r\n]{3,64})",
        (
            "key content",
            "sselinhalt",
            "contenu de la cl",
            "contenido de la clave",
            "contenuto chiave",
            "do da chave",
        ),
        "netsh wlan show profile key=clear",
        ("    Key Content            : " + "kn1gh" + "t749",),
        ("    Key Content            : ", "Key Content: x"),
        reads="given",
        weight=1,
    ),
)

DIALOGUES = (
    Rule(
        "mail-authentication",
        r"(?:\b(?:AUTH|AUTHENTICATE) (?:PLAIN|LOGIN|XOAUTH2)[ \t\"]{1,2}([A-Za-z0-9+/]{8,2048}={0,2})|(?:334|\+) UGFzc3dvcmQ6[^\n]{0,8}\n[^\n]{0,40}?([A-Za-z0-9+/]{4,512}={0,2})[ \t]{0,4}(?:\r?\n|$))",
        ("auth plain", "auth login", "authenticate ", "xoauth2", " ugfzc3dvcmq6"),
        "RFC 4954, RFC 4616: what a client sends to log in",
        (
            "C: AUTH PLAIN " + "AGJvYgBod" + "W50ZXIy",
            "334 UGFzc3dvcmQ6\n" + "aHVudG" + "VyMg==\n235 ok",
        ),
        ("250-AUTH LOGIN PLAIN", "334 UGFzc3dvcmQ6\n535 failed"),
        reads="in_base64",
        weight=1,
    ),
    Rule(
        "store-dialogue",
        r"(?:\"(?:AUTH|auth|Auth)\"(?: \"[^\"\n]{1,64}\")? \"([^\"\n]{3,256})\"|\bAUTH\\{0,2}r?\\?n?\r?\n?\$[0-9]{1,3}(?:\r?\n|\\r\\n)([^\s\\\"']{3,256})|(?:> |[0-9]> )(?:AUTH|auth)(?: [a-z][a-z0-9_-]{1,31})? ([^\s]{3,256})[ \t]{0,4}\r?(?:\n|$))",
        ('"auth"', "auth\\r", "auth\r", "auth\n", "> auth"),
        "https://redis.io/docs/latest/commands/monitor/",
        (
            '1339518083.1 [0 127.0.0.1:60866] "AUTH" "' + "gran" + 'ite"',
            "h:6379> AUTH " + "Sil" + "ver\nOK",
        ),
        ('"auth" "none"', "> auth $PW\n", 'see "AUTH" "x"'),
        reads="given",
        weight=1,
    ),
)

RULES = OUTPUTS + DIALOGUES
