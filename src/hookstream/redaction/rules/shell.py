"""Secrets that a shell pipes, stores, writes to a file or prints."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

RULES = (
    Rule(
        "here-string-secret",
        r"(?:--with-token|--password-stdin|\bchpasswd|\bstore-secret|\benv add|\bsudo -S|\bsecrets? (?:set|put|create)|\bread\b[^|\n]{0,24}(?:PASS|pass|PW|TOKEN|token|SECRET|secret|KEY))[^|\n]{0,60}<<<[ ]{0,2}",
        ("<<<",),
        "shell: a secret handed over on standard input",
        ("gh auth login --with-token <<< " + "q9Zx" * 5,),
        ('docker login --password-stdin <<< "$PW"', "cat <<< text"),
        reads="argument",
        weight=1,
    ),
    Rule(
        "kubectl-literal",
        r"--from-literal[= ][\"']?[A-Za-z0-9_.-]{1,64}=",
        ("from-literal",),
        "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_create/kubectl_create_secret_generic/",
        ("kubectl create secret generic db --from-literal=user=" + "hunt" + "er2",),
        ("kubectl create secret generic db --from-file=./pw", "--from-literal=a=$PW"),
        reads="argument",
    ),
    Rule(
        "secret-store-write",
        r"(?i)\b(?:vault (?:kv put|write)|gh secret set|drone secret add|heroku config:set|fly(?:ctl)? secrets set|"
        r"doppler secrets set|wrangler secret put|aws configure set aws_[a-z_]{3,24}|npm config set|"
        r"pulumi config set --secret|supabase secrets set|netlify env:set|vercel env add|firebase "
        r"functions:config:set|aws ssm put-parameter|az keyvault secret set)[ \t]{1,4}",
        ("vault", "secret", "config", "env", "put-parameter"),
        "the manuals of these programs",
        (
            "aws configure set aws_secret_access_key " + "q9Zx" * 10,
            "gh secret set DEPLOY --body " + "hunt" + "er2-99",
        ),
        ("vault kv get secret/app", "gh secret list"),
        reads="stored",
    ),
    Rule(
        "piped-password",
        r"\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4}|'%s(?:\\n)?'[ \t]{1,4}|\"%s(?:\\n)?\"[ \t]{1,4})?"
        r"[\"']?([^\s\"'|]{2,256})[\"']?[ \t]{0,4}\|[ \t]{0,4}"
        r"(?:sudo[ \t]{1,4}(?:-[A-RT-Za-z]{1,8}[ \t]{1,4}){0,3}-[A-Za-z]{0,3}S|(?:docker|podman|helm|gh|az|oc|crane|skopeo|glab|wrangler|npx|fly|flyctl|kubectl|gcloud|vercel)\b[^|\n]{0,200}"
        r"(?:--password-stdin|--with-token|auth login|env add|secrets? (?:set|put|create))|vncpasswd\b|passwd\b[^|\n]{0,40}--stdin|cryptsetup\b)",
        (
            "vncpasswd",
            "passwd",
            "cryptsetup",
            "sudo",
            "password-stdin",
            "with-token",
            "auth login",
            "env add",
            "secret",
        ),
        "https://docs.docker.com/reference/cli/docker/login/",
        (
            "echo " + "hunt" + "er2 | sudo -S apt update",
            "echo '" + "hunt" + "er2' | docker login --password-stdin",
        ),
        ("echo hi | sudo tee /etc/x", "echo $PW | docker login --password-stdin"),
        group=1,
        validate="word",
    ),
    Rule(
        "sent-at-prompt",
        r"(?i)(?:assword|assphrase|ogin token)[^\n]{0,80}\bsend(?:line)?[ (\"'-]{1,4}([^\"'\\\n]{4,256})(?:\\[rn]|[\"'])",
        ("assword", "assphrase", "ogin token"),
        "expect and pexpect: what is typed at a prompt for a password",
        (
            'expect "assword:" { send "' + "hunt" + 'er2\\r" }',
            "child.expect('Password:'); child.sendline('" + "hunt" + "er2')",
        ),
        ('expect "assword:" { send "$pw\\r" }', "send your password"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "written-to-secret-file",
        r"\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4}|'%s(?:\\n)?'[ \t]{1,4}|\"%s(?:\\n)?\"[ \t]{1,4})?"
        r"[\"']?([^\s\"'|]{4,256})[\"']?[ \t]{0,4}(?:>{1,2}|\|[ \t]{0,4}(?:sudo )?tee(?: -a)?)[ \t]{0,4}[^\s|;&]{0,128}"
        r"(?:secret|passw|[._-]pass\b|token|credential|[_-]key|pgpass|netrc)",
        (
            "secret",
            "passw",
            ".pass",
            "_pass",
            "-pass",
            "token",
            "credential",
            "_key",
            "-key",
            "pgpass",
            "netrc",
        ),
        "shell: a value written to a file whose name says secret",
        ("echo -n '" + "hunt" + "er2' > /run/secrets/db_password",),
        ("echo done > tokens.txt", 'echo "$TOKEN" > token'),
        reads="handed",
        weight=1,
    ),
    Rule(
        "printed-secret",
        r"(?:\bpass show|\bop read|\bvault kv get -field=[^\s]{1,64}|\bbase64 (?:-d|-D|--decode)|\bgh auth token"
        r"|\bget-login-password|\bprint-access-token|\bfind-generic-password|\bget-secret-value)\b[^\n)`]{0,200}\r?\n"
        r"([^\s\"'<>$]{6,4096})\r?(?:\n|$)",
        (
            "pass show",
            "op read",
            "kv get",
            "base64",
            "auth token",
            "login-password",
            "access-token",
            "generic-password",
            "secret-value",
        ),
        "commands that print a secret, with what they printed",
        ("$ pass show db/prod\n" + "Hunt" + "er2!x\n",),
        (
            "$ pass show db/prod\nerror: not found\n",
            "base64 -d <<< x\nhello\n",
            'PASSWORD="$(pass show db/prod)"\nPORT=8080\n',
        ),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "chpasswd",
        r"\b(?:echo|printf)[ \t]{1,4}[\"']?[a-z_][a-z0-9_-]{0,31}:([^\s\"'|]{2,128})[\"']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo )?chpasswd",
        ("chpasswd",),
        "https://man7.org/linux/man-pages/man8/chpasswd.8.html",
        ("echo 'root:" + "hunt" + "er2' | chpasswd",),
        ("echo x | sudo tee y", 'echo "root:$PW" | chpasswd'),
        group=1,
        validate="word",
    ),
    Rule(
        "securestring",
        r"(?i)ConvertTo-SecureString[ \t]{1,4}(?:-(?:String|AsPlainText|Force)[ \t]{1,4}){0,3}",
        ("securestring",),
        "https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring",
        ("$p = ConvertTo-SecureString '" + "hunt" + "er2' -AsPlainText -Force",),
        ("ConvertTo-SecureString $plain -AsPlainText", "Read-Host -AsSecureString"),
        reads="argument",
    ),
)
