"""Later additions to the second corpus: what hooks carry, and passwords that people think up.

A slice, chosen by lot, of three sets that were written after the rules, by contexts and kinds that
the rules had not been read for. In the first two sets (3,874 secrets, split by kind and context)
recall was 0.88 and 0.85; the rules were then improved for the misses of the first set only, which
brought the other to 0.91, and after a look at that to 0.99. The third set (566 secrets) was written
after that: 0.82 with the rules of before, 0.89 with those of after, 0.95 when it had been looked at.
So of contexts that nobody foresaw, about one in ten still passes: mostly plain words and short
letters-only passwords in unusual sentences, tokens without any shape away from their names, the
parts of a base64 text that stand around the secret, word lists without a word that says so.
"""

# ruff: noqa: E501 (a template stays on one line), RUF001 (people write in many scripts)
from __future__ import annotations

import json
import random
import re
import urllib.parse
from xml.sax.saxutils import escape

from held_kinds import VALUES

# \u00a7 and a letter: N NAME, n name, c camelName, C CamelName, k kebab-name, K Kebab-Name,
# d dotted.name, W name in words, s the secret.
# fmt: off
NAMED: tuple[tuple[str, str, str], ...] = (
    ('android-res', '<string name="§n">§s</string>', 'xml'),
    ('apache-setenv', 'SetEnv §N §s', ''),
    ('argocd', "helm:\n  parameters:\n  - name: §c\n    value: '§s'", ''),
    ('buildarg', 'docker build --build-arg §N=§s .', ''),
    ('circle', "circleci context store-secret github acme prod §N <<< '§s'", ''),
    ('click', "@click.option('--§k', default='§s')", ''),
    ('clojure', '{:host "x" :§k "§s"}', 'json'),
    ('comment-sl', '// §W: §s', ''),
    ('compose-map', 'services:\n  api:\n    environment:\n      §N: "§s"\n      PORT: 80', ''),
    ('cpp', 'const char *§n = "§s";', 'json'),
    ('crontab', '§N=§s\n0 3 * * * /usr/bin/backup', ''),
    ('csv', 'id,§n,region\n7,§s,eu\n', ''),
    ('dart-define', 'flutter run --dart-define=§N=§s', ''),
    ('diff-minus', '--- a/.env\n+++ b/.env\n-§N=§s\n+§N=${§N}', ''),
    ('diff-plus', '@@ -1,3 +1,3 @@\n HOST=a\n-§N=\n+§N=§s\n PORT=1', ''),
    ('docker-inspect', '            "Env": [\n                "PATH=/usr/bin",\n                "§N=§s",\n                "LANG=C"\n            ],', 'json'),
    ('ecs-env', '{"name": "§N", "value": "§s"}', 'json'),
    ('emacs', '(setq §k "§s")', ''),
    ('env-prefix', "§N='§s' npm run build -- --ci", ''),
    ('erl', '{§n, "§s"}.', ''),
    ('exc-kwargs', "TypeError: __init__() got {'§n': '§s', 'host': 'db'}", ''),
    ('export-dq', 'export §N="§s" && make deploy', ''),
    ('export-sq', "export §N='§s'", ''),
    ('gcloud-run', 'gcloud run deploy api --set-env-vars §N=§s --region eu', ''),
    ('go-setenv', 'os.Setenv("§N", "§s")', 'json'),
    ('go-v', '{Host:db §C:§s Port:1}', ''),
    ('gradle-prop', '§c=§s\norg.gradle.jvmargs=-Xmx2g', ''),
    ('groovy-map', "[§c: '§s', a: 1]", ''),
    ('heredoc', "cat > .env <<'EOF'\nNODE_ENV=production\n§N=§s\nPORT=3000\nEOF", ''),
    ('heroku-get', '=== acme-staging Config Vars\nNODE_ENV:     production\n§N:   §s\nPORT:  80', ''),
    ('hs', '§c = "§s" :: String', ''),
    ('java-d', 'java -D§d=§s -jar app.jar', ''),
    ('java-final', '    private static final String §N = "§s";', 'json'),
    ('jest', '-   "§c": "§s",\n+   "§c": undefined,', ''),
    ('jl', 'ENV["§N"] = "§s"', ''),
    ('jq-out', '$ jq -r .§n cfg.json\n§s\n$ ', ''),
    ('js-bracket', "process.env['§N'] = `§s`;", ''),
    ('json', '{"§n": "§s", "debug": false}', 'json'),
    ('just', '§n := "§s"', ''),
    ('k8s-env', '        env:\n        - name: §N\n          value: "§s"\n        - name: PORT\n          value: "80"', ''),
    ('localstorage', "localStorage.setItem('§c', '§s')", ''),
    ('log-brackets', '[DEBUG] settings: {§n: §s, host: db}', ''),
    ('mail', 'Hi Bob,\n\n§W: §s\n\nCheers', ''),
    ('make-export', 'export §N ?= §s', ''),
    ('md-table', '| Name | Value |\n|---|---|\n| §N | §s |\n| PORT | 80 |', ''),
    ('mongo-ins', "db.cfg.insertOne({§n: '§s'})", ''),
    ('multipart', '------x\r\nContent-Disposition: form-data; name="§n"\r\n\r\n§s\r\n------x--', ''),
    ('mvn-d', 'mvn deploy -D§d=§s', ''),
    ('netlify-set', "netlify env:set §N '§s' --context production", ''),
    ('nix', '  §c = "§s";', 'json'),
    ('perl', "my $§n = '§s';", ''),
    ('php-dump', 'array(1) {\n  ["§n"]=>\n  string(9) "§s"\n}', ''),
    ('php-env', "putenv('§N=§s');", ''),
    ('php-var', "$§n = '§s';", ''),
    ('podman-env', 'podman run --env "§N=§s" quay.io/acme/job:latest', ''),
    ('printenv', 'PATH=/usr/bin\nHOME=/root\n§N=§s\nTERM=xterm\n', ''),
    ('printf-pipe', "printf '%s' '§s' | gh secret set §N --repo acme/api", ''),
    ('properties-colon', 'app.§d: §s', ''),
    ('pulumi', 'pulumi config set --secret §c §s', ''),
    ('py-assign', "§n = '§s'", ''),
    ('py-bytes', "§n = b'§s'", ''),
    ('py-getenv', 'os.getenv("§N", "§s")', 'json'),
    ('py-pdb', "(Pdb) p §n\n'§s'", ''),
    ('py-repr', "Settings(§n=SecretStr('§s'), debug=False)", ''),
    ('pyd', 'class S(BaseSettings):\n    §n: str = "§s"', ''),
    ('r-sysenv', 'Sys.setenv(§N = "§s")', 'json'),
    ('rg', 'config/prod.env:12:§N=§s', ''),
    ('rg-code', "src/settings.py:48:    §n = '§s'", ''),
    ('ruby-env', "ENV['§N'] ||= '§s'", ''),
    ('ruby-hash', "{ host: 'x', §n: '§s' }", ''),
    ('ruby-sym', "config.§n = '§s'", ''),
    ('secretsmanager', '"SecretString": "{\\"§n\\":\\"§s\\"}"', 'json2'),
    ('setx', 'setx §N "§s" /M', ''),
    ('solidity-env', 'forge script X --private-key §s', ''),
    ('sops-dec', '$ sops -d s.yaml\n§n: §s\n', ''),
    ('ssm-get', '{"Parameter": {"Name": "/prod/§n", "Type": "SecureString", "Value": "§s", "Version": 3}}', 'json'),
    ('swift', 'let §c: String = "§s"', 'json'),
    ('tcl', 'set §n "§s"', ''),
    ('tee', 'tee -a .env.local <<EOF\n§N=§s\nEOF', ''),
    ('tf-output', '§n = "§s"\nvpc_id = "vpc-0a1b2c3d"', 'json'),
    ('tf-plan-add', '      + §n        = "§s"\n      + region = "eu-west-1"', 'json'),
    ('tf-plan-change', '      ~ §n = "old-value-x" -> "§s"', 'json'),
    ('tf-var', "terraform apply -auto-approve -var '§n=§s'", ''),
    ('tfvars', '§n = "§s"', 'json'),
    ('toml', '[prod]\n§n = "§s"\nretries = 3', 'json'),
    ('ts-const', "export const §c: string = '§s';", ''),
    ('ts-obj', "const c = new Client({ §c: '§s', region: 'eu' });", ''),
    ('ts-penv', "process.env.§N = '§s';", ''),
    ('tsv', '§N\t§s\nPORT\t80', ''),
    ('url-query', 'https://api.acme.dev/v1/items?limit=10&§n=§s&page=2', 'url'),
    ('wrangler-vars', '[vars]\n§N = "§s"', 'json'),
    ('xcconfig', '§N = §s', ''),
    ('xml-add', '<add key="§N" value="§s" />', 'xml'),
    ('xml-el', '<config>\n  <§c>§s</§c>\n</config>', 'xml'),
    ('xxd-env', 'env | grep §N\n§N=§s', ''),
    ('yaml', 'app:\n  §n: §s\n  debug: false', ''),
    ('yaml-flow', "env: {§N: '§s', A: b}", ''),
    ('yaml-folded', '§n: >-\n  §s\nnext: 1', ''),
    ('zig', 'const §n = "§s";', ''),
)

GIVEN: tuple[tuple[str, str, str], ...] = (
    ('7z', "7z x -p'§s' a.7z", ''),
    ('ansible-become', 'web1 ansible_user=bob ansible_password=§s ansible_become_pass=§s', ''),
    ('cisco', 'username admin privilege 15 secret 0 §s', ''),
    ('cloud-init-pw', '#cloud-config\npassword: §s\nssh_pwauth: true', ''),
    ('createuser-sql', "CREATE USER bob WITH PASSWORD '§s';", ''),
    ('ds-xml', '<password>§s</password>', 'xml'),
    ('ecryptfs', 'passphrase=§s,ecryptfs_cipher=aes', ''),
    ('expect', 'expect "assword:"\nsend "§s\\r"', ''),
    ('ftp-url', 'curl ftp://bob:§s@ftp.acme.dev/a.zip -O', 'url'),
    ('go-dsn', 'root:§s@tcp(127.0.0.1:3306)/app?parseTime=true', ''),
    ('gpg-pass', "gpg --batch --passphrase '§s' -d f.gpg", ''),
    ('grafana-ini', 'admin_password = §s', ''),
    ('httpie-a', 'http -a bob:§s x.dev/api', ''),
    ('identified-plugin', "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '§s';", ''),
    ('jdbc-ora', 'jdbc:oracle:thin:scott/§s@//db:1521/XE', ''),
    ('jdbc-q', 'jdbc:mysql://db:3306/app?user=root&password=§s&useSSL=false', 'url'),
    ('jetty', '<Set name="Password">§s</Set>', 'xml'),
    ('kickstart', 'rootpw --plaintext §s', ''),
    ('ldap-bind', "conn.simple_bind_s('cn=admin,dc=acme', '§s')", ''),
    ('ldapsearch', "ldapsearch -x -D cn=admin,dc=acme -w '§s' -b dc=acme", ''),
    ('lftp', "lftp -u bob,'§s' sftp://x.dev", ''),
    ('login-form', 'username=bob&password=§s&remember=1', 'url'),
    ('login-json', '{"username":"bob","password":"§s"}', 'json'),
    ('mongo-createuser', "db.createUser({user:'bob', pwd:'§s', roles:[]})", ''),
    ('mongosh', "mongosh --host db -u root -p '§s' --authenticationDatabase admin", ''),
    ('mysql-long', "mysql --user=root --password='§s' app", ''),
    ('mysql-url', 'DATABASE_URL="mysql2://root:§s@127.0.0.1/app"', 'url'),
    ('net-user', 'net user bob §s /add', ''),
    ('nmcli', "nmcli dev wifi connect Home password '§s'", ''),
    ('nmcli-psk', "wifi-sec.psk '§s'", ''),
    ('oracle', 'ALTER USER scott IDENTIFIED BY "§s";', ''),
    ('packer', 'ssh_password = "§s"', ''),
    ('pgpassword', "PGPASSWORD='§s' psql -h db -U app -c 'select 1'", ''),
    ('playwright', "await page.fill('#password', '§s');", ''),
    ('ps-cred', "New-Object PSCredential('bob', ('§s' | ConvertTo-SecureString -AsPlainText -Force))", ''),
    ('psycopg', 'psycopg2.connect("dbname=app user=app password=\'§s\' host=db")', ''),
    ('pymysql', "pymysql.connect(host='db', user='root', passwd='§s', db='app')", ''),
    ('rabbit-ch', "rabbitmqctl change_password bob '§s'", ''),
    ('rdp', "xfreerdp /v:pc /u:bob /p:'§s'", ''),
    ('redis-auth', 'AUTH §s\n+OK', ''),
    ('redis-conf', 'requirepass §s\nmaxmemory 1gb', ''),
    ('redis-url', 'rediss://default:§s@eu1.upstash.io:6379', 'url'),
    ('selenium', "driver.find_element(By.NAME, 'password').send_keys('§s')", ''),
    ('smtp-url', 'smtp://bob%40acme.dev:§s@smtp.acme.dev:587', 'url'),
    ('snmp', "snmpwalk -v3 -u bob -A '§s' -l authNoPriv sw1", ''),
    ('sqlalchemy', "create_engine('mssql+pyodbc://sa:§s@db/app?driver=ODBC+Driver+18')", 'url'),
    ('sqlcmd', "sqlcmd -S db -U sa -P '§s' -Q 'select 1'", ''),
    ('sshpass', "sshpass -p '§s' ssh root@10.0.0.5 uptime", ''),
    ('sudo-S', "echo '§s' | sudo -S apt update", ''),
    ('telnet', 'login: bob\nPassword: §s\nLast login: Mon', ''),
    ('unzip-P', 'unzip -P §s a.zip', ''),
    ('vagrant', "config.ssh.password = '§s'", ''),
    ('wget', "wget --user=bob --password='§s' https://x/f.zip", ''),
    ('wp-config-t', "/** MySQL database password */\ndefine('DB_PASSWORD','§s');", ''),
    ('wpa', 'network={\n ssid="Home"\n psk="§s"\n}', ''),
)

SAID = (
    '* pw: §s',
    '- password: §s',
    '1. Password: §s',
    "BOB'S PASSWORD: §s",
    'Benutzer bob, Passwort §s',
    'Das Passwort lautet §s',
    'I changed the root password to §s yesterday',
    "I'll use §s for the password",
    'Mein Kennwort ist §s',
    'P/W: §s',
    'PASSWORD: §s',
    'PASSWORD=§s',
    'PW = §s',
    'Passwort = §s',
    'Passwort für die Datenbank: §s',
    'Passwort: §s',
    'The passphrase for the key is §s.',
    'The password you need is §s.',
    'Usuario: bob Contraseña: §s',
    'WLAN-Passwort: §s',
    'Zugangsdaten: bob / §s',
    '[password: §s]',
    'a senha é §s',
    'api password = §s',
    'clave: §s',
    'creds are bob:§s',
    'das passwort ist §s',
    'db creds: root/§s',
    'echo §s > ~/.vnc/passwd',
    'encrypt it with passphrase §s',
    'enter §s when asked for the password',
    'generated password: §s',
    'hasło to §s',
    'la contraseña nueva: §s',
    'la password è §s',
    'la password: §s',
    "le mdp c'est §s",
    'le nouveau mot de passe : §s',
    'log in as admin with password §s',
    'login with admin / §s (password)',
    'lösenord: §s',
    'make the password §s',
    'mdp : §s',
    'mi clave es §s',
    'mit dem Passwort §s anmelden',
    'mot de passe admin = §s',
    'p: bob / pw: §s',
    'parola: §s',
    'pass: §s',
    'password - §s',
    'password → §s',
    'password:  §s',
    'password: "§s"',
    'password: §s (italiano: la password è §s)',
    'password:§s',
    'pgpass: db:5432:*:app:§s',
    'pin/pw: §s',
    'pon §s como contraseña',
    'pw fürs WLAN: §s',
    'pw=§s;',
    'reset his password to `§s`',
    'root password of the box: §s',
    'secret is §s',
    'senha = §s',
    'sign in with bob and password §s',
    'ssh root@10.1.1.1 (password: §s)',
    'ssh root@10.1.1.1, pw §s',
    'sudo password is §s btw',
    'the PIN password is "§s"',
    'the admin pass is §s',
    'the pass phrase: §s',
    'usa §s como contraseña',
    'use "§s" as the password for bob',
    'use §s como senha',
    'user: bob, pass: §s',
    'user=bob password=§s',
    'wifi password: §s',
    'with the password §s it works',
    'пароль: §s',
    'パスワード: §s',
    'パスワードは§sです',
    'パスワードを §s に変更してください',
    '密码: §s',
    '新しいパスワード:§s',
    '비밀번호: §s',
)
# fmt: on

WORDS = "maple orbit velvet cactus harbor pixel lantern granite saffron walrus tundra".split()
NAMES = "DB_PASSWORD PGPASSWORD REDIS_PASSWORD SMTP_PASS ADMIN_PASSWORD KEYSTORE_PASS".split()


def thought_up(rng: random.Random) -> str:
    """A password as people make them: a weak word, a word and a year, a phrase, a generated one."""
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
    return rng.choice(
        (
            lambda: (
                rng.choice(("dragon", "swordfish", "letmein", "sunshine")) + str(rng.randrange(99))
            ),
            lambda: (
                rng.choice(("Summer", "Berlin", "Falcon")) + rng.choice(("2025", "123!", "@77"))
            ),
            lambda: "-".join(rng.sample(WORDS, 3)),
            lambda: "".join(rng.choice(letters + "23456789!@%*") for _ in range(14)) + "7a",
        )
    )()


def placed(template: str, name: str, secret: str, form: str) -> tuple[str, str]:
    """The text, and the secret as it stands there."""
    words = [word for word in re.split(r"[_.-]", name.lower()) if word]
    titles = [word.title() for word in words]
    forms = {
        "N": "_".join(words).upper(),
        "n": "_".join(words),
        "c": words[0] + "".join(titles[1:]),
        "C": "".join(titles),
        "k": "-".join(words),
        "K": "-".join(titles),
        "d": ".".join(words),
        "W": " ".join(words),
    }
    shown = {
        "": lambda: secret,
        "json": lambda: json.dumps(secret)[1:-1],
        "json2": lambda: json.dumps(json.dumps(secret)[1:-1])[1:-1],
        "url": lambda: urllib.parse.quote(secret, safe=""),
        "xml": lambda: escape(secret, {'"': "&quot;"}),
    }[form]()
    text = re.sub("\u00a7([NncCkKdW])", lambda found: forms[found[1]], template)
    return text.replace("\u00a7s", shown), shown


def secrets(seed: int) -> list[tuple[str, str, str, str]]:
    """(kind, context, text, the secret as it stands there)."""
    rng = random.Random(seed + 4)
    out: list[tuple[str, str, str, str]] = []
    for context, template, form in NAMED:
        kind, name, make = rng.choice(VALUES)
        out.append((kind, context, *placed(template, name, make(rng), form)))
        out.append(
            ("thought-up", context, *placed(template, rng.choice(NAMES), thought_up(rng), form))
        )
    for context, template, form in GIVEN:
        for _ in range(2):
            out.append(
                ("thought-up", context, *placed(template, "DB_PASSWORD", thought_up(rng), form))
            )
    for template in SAID:
        out.append(("thought-up", template[:24], *placed(template, "x", thought_up(rng), "")))
    return out
