"""Further places where secrets stand, written without a look at the rules; see held.py."""

# ruff: noqa: E501 (a template stays on one line)
from __future__ import annotations

import base64
import json
import urllib.parse

from contexts import Context, template


def _escaped_twice(name: str, value: str) -> tuple[str, str]:
    inner = json.dumps({"env": {name: value}, "n": 1})
    text = json.dumps({"body": json.dumps({"payload": inner})})
    return text, json.dumps(json.dumps(json.dumps(value)[1:-1])[1:-1])[1:-1]


def _json_key(name: str, value: str) -> tuple[str, str]:
    return json.dumps({"seen": {value: 3, "other": 1}}), json.dumps(value)[1:-1]


def _json_pairs(name: str, value: str) -> tuple[str, str]:
    shown = json.dumps(value)[1:-1]
    return json.dumps([{"Name": name, "Value": value}, {"Name": "PORT", "Value": "80"}]), shown


def _task_definition(name: str, value: str) -> tuple[str, str]:
    text = json.dumps({"environment": [{"name": "PORT", "value": "1"}, {"name": name, "value": value}]}, indent=4)  # fmt: skip
    return text, json.dumps(value)[1:-1]


def _graphql(name: str, value: str) -> tuple[str, str]:
    text = json.dumps({"query": "mutation M($i: In!) { save(i: $i) { id } }", "variables": {"i": {name: value}}})  # fmt: skip
    return text, json.dumps(value)[1:-1]


def _python_repr(name: str, value: str) -> tuple[str, str]:
    return f"KeyError: { ({'host': 'db', name: value, 'n': 2})!r}", repr(value)[1:-1]


def _kubernetes_data(name: str, value: str) -> tuple[str, str]:
    shown = base64.b64encode(value.encode()).decode()
    field = name.lower().replace("_", "-")
    return (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  {field}: {shown}\n",
        shown,
    )


def _form(name: str, value: str) -> tuple[str, str]:
    shown = urllib.parse.quote(value, safe="")
    return f"curl -X POST https://login.example.com/token -d 'grant_type=x&{name}={shown}&scope=all'", shown  # fmt: skip


def _query(name: str, value: str) -> tuple[str, str]:
    shown = urllib.parse.quote(value, safe="")
    return f'10.0.0.7 - - "GET /hook?v=2&{name}={shown} HTTP/1.1" 200 512', shown


def _basic(name: str, value: str) -> tuple[str, str]:
    shown = base64.b64encode(f"deploy:{value}".encode()).decode()
    return f"> GET /v2/ HTTP/1.1\n> Authorization: Basic {shown}\n> Accept: */*\n", shown


def _docker_config(name: str, value: str) -> tuple[str, str]:
    shown = base64.b64encode(f"deploy:{value}".encode()).decode()
    return json.dumps({"auths": {"registry.example.com": {"auth": shown}}}, indent=1), shown


def _userinfo(text: str) -> Context:
    def make(name: str, value: str) -> tuple[str, str]:
        shown = urllib.parse.quote(value, safe="")
        return text.replace("{value}", shown), shown

    return make


NAMED: dict[str, Context] = {
    "docker-arg": template("FROM node:22\nARG {name}={value}\nRUN npm ci\n"),
    "docker-env-space": template('FROM node:22\nENV {name} "{value}"\nCMD ["node"]\n'),
    "docker-build-arg": template("docker build --build-arg {name}={value} -t app ."),
    "terraform": template('resource "aws_db_instance" "x" {\n  {name}   = "{value}"\n  size = 20\n}\n'),
    "tfvars": template('region = "eu-west-1"\n{name} = "{value}"\n'),
    "terraform-default": template('variable "{name}" {\n  type    = string\n  default = "{value}"\n}\n'),
    "helm-set": template("helm upgrade app ./chart --set image.tag=v3 --set {name}={value} --wait"),
    "helm-set-string": template("helm install app ./chart --set-string auth.{name}='{value}'"),
    "kubectl-literal": template("kubectl create secret generic app --from-literal={name}={value} -n prod"),
    "kubectl-set-env": template("kubectl set env deployment/api {name}={value}"),
    "kubernetes-data": _kubernetes_data,
    "kubernetes-string-data": template('apiVersion: v1\nkind: Secret\nstringData:\n  {name}: "{value}"\ntype: Opaque\n'),
    "compose-map": template("services:\n  web:\n    environment:\n      {name}: {value}\n      PORT: 80\n"),
    "yaml-block": template("app:\n  {name}: |\n    {value}\n  debug: false\n"),
    "yaml-single": template("app:\n  {name}: '{value}'\n  debug: false\n"),
    "github-actions": template("    env:\n      CI: true\n      {name}: {value}\n    steps:\n"),
    "toml-inline": template('db = { host = "x", {name} = "{value}", port = 1 }\n'),
    "toml-single": template("[tool.app]\n{name} = '{value}'\n"),
    "ini-tight": template("[mail]\nhost=mx.internal\n{name}={value}\nport=25\n"),
    "xml-pair": template("<property>\n  <name>{name}</name>\n  <value>{value}</value>\n</property>"),
    "xml-namespaced": template('<cfg:{name} type="string">{value}</cfg:{name}>'),
    "plist": template("<key>{name}</key>\n\t<string>{value}</string>\n"),
    "powershell": template("$env:{name} = '{value}'\n./build.ps1"),
    "powershell-set": template('[Environment]::SetEnvironmentVariable("{name}", "{value}", "User")'),
    "windows-set": template("set {name}={value}\r\nnode app.js\r\n"),
    "windows-set-quoted": template('set "{name}={value}" && node app.js'),
    "windows-setx": template('setx {name} "{value}" /M'),
    "fish": template("set -gx {name} {value}\nfish_add_path ~/bin"),
    "fish-quoted": template("set -x {name} '{value}'"),
    "csh": template("setenv {name} '{value}'\nrehash"),
    "nushell": template('$env.{name} = "{value}"'),
    "heredoc": template("cat > .env <<'EOF'\nMODE=prod\n{name}={value}\nEOF\nsystemctl restart app"),
    "heredoc-yaml": template("kubectl apply -f - <<EOF\nspec:\n  {name}: {value}\nEOF"),
    "ssh-remote": template("ssh deploy@10.0.0.4 \"export {name}='{value}'; ./restart.sh\""),
    "env-command": template("env {name}={value} python manage.py migrate"),
    "sudo-env": template("sudo {name}='{value}' ./install.sh --yes"),
    "systemd": template('[Service]\nEnvironment="{name}={value}"\nExecStart=/srv/app\n'),
    "systemd-bare": template("[Service]\nEnvironment={name}={value}\nRestart=always\n"),
    "pm2": template("module.exports = { apps: [{ env: { {name}: \"{value}\", PORT: 3000 } }] }"),
    "flag-space": template("./deploy --env prod --{name} {value} --verbose"),
    "flag-quoted": template("./deploy --{name} '{value}' --verbose"),
    "python-constant": template("import os\n\n{name} = '{value}'\nDEBUG = False\n"),
    "python-default": template('{name} = os.environ.get("{name}", "{value}")\n'),
    "python-typed": template('    {name}: str = "{value}"\n    debug: bool = False\n'),
    "python-dict": template("conf['{name}'] = '{value}'\nrun(conf)\n"),
    "python-setattr": template("settings.{name} = '{value}'"),
    "python-repr": _python_repr,
    "python-dotenv": template('set_key(".env", "{name}", "{value}")'),
    "javascript-const": template("const {name} = `{value}`;\nexport default {name};"),
    "javascript-env": template("process.env.{name} = '{value}';"),
    "javascript-fallback": template("const t = process.env.{name} || '{value}';"),
    "go-const": template('const (\n\tHost = "x"\n\t{name} = "{value}"\n)\n'),
    "go-setenv": template('os.Setenv("{name}", "{value}")'),
    "java": template('private static final String {name} = "{value}";'),
    "java-property": template('props.setProperty("{name}", "{value}");'),
    "kotlin": template('val {name} = "{value}"\nval debug = false'),
    "csharp": template('public const string {name} = "{value}";'),
    "rust": template('const {name}: &str = "{value}";'),
    "swift": template('let {name}: String = "{value}"'),
    "dart": template("static const {name} = '{value}';"),
    "elixir": template('config :app, {name}: "{value}", pool: 10'),
    "lua": template('local {name} = "{value}"\nreturn M'),
    "perl": template("my ${name} = '{value}';\nuse strict;"),
    "php-define": template("define('{name}', '{value}');"),
    "ruby-env": template("ENV['{name}'] = '{value}'\nRails.boot!"),
    "groovy": template("ext.{name} = '{value}'\nversion '1.0'"),
    "scala": template('{name} -> "{value}", "port" -> 80'),
    "clojure": template('{:db "x" :{name} "{value}"}'),
    "sql-insert": template("INSERT INTO settings (name, value) VALUES ('{name}', '{value}');"),
    "sql-update": template("UPDATE users SET {name} = '{value}' WHERE id = 7;"),
    "sql-row": template(" id | name | {name}\n----+------+------\n  1 | web  | {value}\n"),
    "csv-header": template("host,{name},port\ndb.internal,{value},5432\n"),
    "csv-pair": template('"{name}","{value}","deploy"\n"PORT","80","deploy"\n'),
    "tsv": template("HOST\tdb\n{name}\t{value}\nPORT\t80\n"),
    "markdown-table": template("| setting | value |\n|---|---|\n| {name} | {value} |\n| PORT | 80 |\n"),
    "markdown-table-code": template("| `{name}` | `{value}` |\n"),
    "markdown-list": template("* **{name}**: `{value}`\n* **port**: 80\n"),
    "jira": template("||{name}||{value}||\n"),
    "log-json": template('{"level":"info","msg":"boot","{name}":"{value}","pid":7}'),
    "log-kv": template('time="2026-11-21T10:00:00Z" level=debug msg="boot" {name}="{value}"'),
    "log-bracket": template("[INFO] config loaded {host=db, {name}={value}, retries=3}"),
    "log-colon": template("DEBUG settings: host: db, {name}: {value}, retries: 3"),
    "java-map": template("Exception: bad config {host=db.internal, {name}={value}}"),
    "go-struct": template("panic: config &{Host:db {name}:{value} Port:5432}"),
    "stack-locals": template("    locals:\n        host = 'db'\n        {name} = '{value}'\n        n = 3\n"),
    "rust-debug": template('Config { host: "db", {name}: "{value}", port: 5432 }'),
    "json-escaped-twice": _escaped_twice,
    "json-pairs": _json_pairs,
    "ecs-task": _task_definition,
    "graphql-variables": _graphql,
    "graphql-inline": template('mutation { login(user: "bob", {name}: "{value}") { id } }'),
    "diff-removed": template("--- a/config.py\n+++ b/config.py\n@@ -1 +1 @@\n-{name} = '{value}'\n+{name} = get()\n"),
    "diff-yaml": template("@@ -3,2 +3,2 @@\n spec:\n+  {name}: {value}\n"),
    "diff-json": template('@@ -3,2 +3,2 @@\n   "host": "db",\n-  "{name}": "{value}",\n'),
    "form-body": _form,
    "access-log": _query,
    "html-input": template('<input type="hidden" name="{name}" value="{value}">'),
    "html-value-first": template('<input value="{value}" name="{name}" type="text">'),
    "html-meta": template('<meta name="{name}" content="{value}">'),
    "html-entities": template("&quot;{name}&quot;: &quot;{value}&quot;"),
    "slack": template("hey, `{name}={value}` is what I have in my shell, does it work for you?"),
    "prose-colon": template("My {name}: {value} - could you check why it fails?"),
    "prose-set-to": template("I set {name} to {value} in the pipeline and it still fails."),
    "prose-dash": template("{name} \u2013 {value}"),
    "prose-is-bold": template("The {name} is **{value}**, please store it."),
    "chinese": template("请使用 {name}\uff1a{value} 登录服务器。"),
    "japanese": template("「{name}」は「{value}」です。"),
    "bracketed": template("connect({name}=[{value}])"),
    "make": template("{name} := {value}\nall: build\n"),
    "make-export": template("export {name} ?= {value}\n"),
    "jenkins": template("environment {\n    {name} = '{value}'\n}\n"),
    "travis": template("env:\n  global:\n    - {name}=\"{value}\" DEBUG=1\n"),
    "gitlab-variables": template("variables:\n  {name}: \"{value}\"\nstages: [build]\n"),
    "ansible-vars": template("- hosts: all\n  vars:\n    {name}: \"{value}\"\n"),
    "ansible-inventory": template("web1 ansible_host=10.0.0.3 {name}={value}\n"),
    "ansible-extra": template("ansible-playbook site.yml -e '{name}={value}'"),
    "bicep": template("param {name} string = '{value}'"),
    "cloudformation": template("aws cloudformation deploy --parameter-overrides Env=prod {name}={value}"),
    "cloudformation-pair": template("--parameters ParameterKey={name},ParameterValue={value}"),
    "gcloud-env": template("gcloud run deploy api --set-env-vars=PORT=80,{name}={value} --region x"),
    "lambda-env": template("aws lambda update-function-configuration --environment 'Variables={A=1,{name}={value}}'"),
    "heroku": template("heroku config:set {name}={value} -a shop"),
    "vault-put": template("vault kv put secret/app host=db {name}={value}"),
    "gh-secret": template('gh secret set {name} --body "{value}" --repo o/r'),
    "gh-secret-pipe": template("echo '{value}' | gh secret set {name}"),
    "ssm": template("aws ssm put-parameter --name /app/{name} --type SecureString --value '{value}'"),
    "secretsmanager": template("aws secretsmanager create-secret --name {name} --secret-string '{value}'"),
    "az-keyvault": template("az keyvault secret set --vault-name v --name {name} --value '{value}'"),
    "npm-config": template("npm config set //registry.example.com/:{name} {value}"),
    "git-config": template("git config --global app.{name} {value}"),
    "export-n-lines": template("export PORT=80\r\nexport {name}={value}\r\nexport A=1\r\n"),
    "ansi": template("\x1b[32m{name}\x1b[0m=\x1b[33m{value}\x1b[0m done"),
    "env-dump": template("SHELL=/bin/bash\n{name}={value}\nHOME=/root\nLANG=C\n"),
    "escaped-newlines": template("printf 'PORT=80\\n{name}={value}\\nA=1\\n' > .env"),
    "sed": template("sed -i 's/^{name}=.*/{name}={value}/' .env"),
    "jq": template("jq '.{name} = \"{value}\"' config.json > new.json"),
    "yq": template("yq -i '.app.{name} = \"{value}\"' values.yaml"),
    "tfe": template('terraform apply -var "{name}={value}" -auto-approve'),
    "tf-var-env": template("TF_VAR_{name}={value} terraform plan"),
    "java-d": template("java -Dapp.{name}={value} -jar app.jar"),
    "gradle-p": template("./gradlew publish -P{name}={value}"),
    "httpie": template("http POST api.example.com/login user=bob {name}={value}"),
    "httpie-json": template("http POST api.example.com/login {name}:='\"{value}\"'"),
    "curl-data": template("curl -d '{\"user\":\"bob\",\"{name}\":\"{value}\"}' https://api.example.com"),
    "curl-form": template("curl -F user=bob -F {name}={value} https://api.example.com"),
    "curl-header": template("curl -H \"X-{name}: {value}\" https://api.example.com"),
    "wget-header": template('wget --header="{name}: {value}" https://api.example.com/f'),
    "http-header-lower": template("x-{name}: {value}\r\naccept: */*\r\n"),
    "fetch-headers": template("fetch(u, { headers: { '{name}': '{value}' } })"),
    "axios": template('axios.get(u, { params: { {name}: "{value}" } })'),
    "set-cookie": template("Set-Cookie: {name}={value}; Path=/; HttpOnly; Secure"),
    "local-storage": template("localStorage.setItem('{name}', '{value}');"),
    "redis-set": template('redis-cli SET {name} "{value}"'),
    "ps-output": template("root  812  0.0 /usr/bin/app --host db --{name}={value} --port 80"),
}  # fmt: skip

BARE: dict[str, Context] = {
    "prose-use": template("use {value} as the token for the api calls"),
    "prose-quoted": template("Is “{value}” still valid?"),
    "prose-german": template("Bitte nimm {value} für den Zugang, danke."),
    "prose-japanese": template("トークンは{value}です。"),
    "prose-emoji": template("🔑{value}🔒 do not share"),
    "parens": template("our key ({value}) expired yesterday"),
    "brackets": template("values: [{value}, none]"),
    "angle": template("<{value}>"),
    "comma": template("a,{value},b"),
    "semicolon": template("x; {value}; y"),
    "pipe": template("a|{value}|b"),
    "question": template("Does it work with {value}?"),
    "exclaim": template("Rotate {value}!"),
    "own-line": template("Here it is:\n\n{value}\n\nThanks."),
    "backticks": template("paste ```{value}``` below"),
    "slack-code": template("<@U02ABCDEF> here: `{value}` :lock:"),
    "json-list": template('["one", "{value}", "two"]'),
    "json-key": _json_key,
    "yaml-list": template("tokens:\n  - {value}\n  - none\n"),
    "sql-values": template("INSERT INTO k VALUES (7, '{value}', now());"),
    "python-call": template('client = make_client("{value}")'),
    "python-positional": template("login('bob', '{value}')"),
    "go-call": template('c := api.New("{value}")'),
    "comparison": template('if token != "{value}" { return }'),
    "authorization-token": template("curl -H 'Authorization: token {value}' https://api.example.com"),
    "authorization-bare": template("Authorization: {value}\r\nHost: x\r\n"),
    "bearer-lower": template("authorization=bearer {value}"),
    "private-token": template('curl --header "PRIVATE-TOKEN: {value}" https://git.example.com/api'),
    "git-remote": template("git remote add origin https://bot:{value}@git.example.com/a/b.git"),
    "git-token-user": template("git clone https://{value}@git.example.com/a/b.git"),
    "git-x-access": template("origin\thttps://x-access-token:{value}@git.example.com/a/b (fetch)"),
    "npmrc": template("//registry.example.com/:_authToken={value}\nsave-exact=true\n"),
    "pypirc": template("[pypi]\nusername = __token__\npassword = {value}\n"),
    "netrc-oneline": template("machine api.example.com login oauth password {value}"),
    "pip-index": template("pip install --index-url https://__token__:{value}@pypi.example.com/simple app"),
    "docker-login": template("docker login -u bot -p {value} registry.example.com"),
    "docker-login-long": template("docker login --username bot --password {value} ghcr.io"),
    "twine": template("twine upload -u __token__ -p {value} dist/*"),
    "oauth-code": template("https://app.example.com/cb?code={value}&state=xyz"),
    "url-access-token": template("wss://ws.example.com/?access_token={value}&v=1"),
    "url-fragment": template("https://app.example.com/#access_token={value}&token_type=bearer"),
    "url-path": template("POST https://hooks.example.com/services/{value}/send"),
    "websocket": template("Sec-WebSocket-Protocol: bearer, {value}"),
    "cookie": template("Cookie: lang=en; auth={value}; theme=dark"),
    "set-cookie": template("set-cookie: sid={value}; Max-Age=3600; SameSite=Lax"),
    "traceback-arg": template("TypeError: bad value '{value}'"),
    "diff": template("-    '{value}',\n+    read(),\n"),
    "log-auth": template("[warn] auth failed for key={value} from 10.0.0.9"),
    "error-echo": template("sh: {value}: command not found"),
    "shell-comment": template("make deploy  # {value}"),
    "html-attr": template('<a data-token="{value}" href="/x">go</a>'),
    "html-text": template("<td>{value}</td><td>bot</td>"),
    "file-path": template("/run/secrets/{value}"),
    "clipboard": template("\n{value}\n"),
    "tabs": template("bot\t{value}\tprod"),
    "crlf": template("bot\r\n{value}\r\nprod\r\n"),
}  # fmt: skip

SAID: dict[str, Context] = {
    "postgres-url": _userinfo("DATABASE_URL=postgresql+asyncpg://app:{value}@db.internal/shop"),
    "mysql-url": _userinfo("mysql://root:{value}@127.0.0.1:3306/shop?ssl=1"),
    "mongo-url": _userinfo("mongosh 'mongodb+srv://app:{value}@c0.example.net/shop'"),
    "redis-url": _userinfo("REDIS_URL=rediss://default:{value}@cache.example.com:6380"),
    "amqp-url": _userinfo('celery -b "amqp://guest:{value}@mq:5672//"'),
    "jdbc": template("jdbc:postgresql://db/shop?user=app&password={value}"),
    "jdbc-sqlserver": template("jdbc:sqlserver://db:1433;databaseName=x;user=sa;password={value};"),
    "psql-conninfo": template('psql "host=db user=app password={value} dbname=shop"'),
    "odbc": template("Driver={PostgreSQL};Server=db;Uid=app;Pwd={value};"),
    "ado": template("Data Source=db;Initial Catalog=shop;User ID=app;Password={value};Pooling=true"),
    "proxy": _userinfo("export https_proxy=http://bob:{value}@proxy.internal:3128"),
    "ftp": _userinfo("lftp ftp://bob:{value}@files.example.com"),
    "wget-password": template("wget --user=bob --password='{value}' https://x.example.com/f"),
    "curl-user-long": template("curl --user 'bob:{value}' https://api.example.com"),
    "curl-user-tight": template("curl -sSubob:{value} https://api.example.com"),
    "httpie-auth": template("http -a bob:{value} GET api.example.com"),
    "basic-header": _basic,
    "docker-config": _docker_config,
    "mysql-long": template("mysqldump --user=root --password={value} shop > d.sql"),
    "mysql-pwd": template("MYSQL_PWD={value} mysql -u root shop"),
    "pgpassword": template("PGPASSWORD='{value}' pg_dump -h db shop"),
    "my-cnf": template("[client]\nuser=root\npassword={value}\n"),
    "sqlcmd": template("sqlcmd -S db -U sa -P {value} -Q 'select 1'"),
    "ldap": template("ldapsearch -x -D cn=admin,dc=x -w {value} -b dc=x"),
    "smb": template("smbclient //nas/share -U bob%{value}"),
    "mount-cifs": template("mount -t cifs //nas/s /mnt -o username=bob,password={value},vers=3"),
    "openssl-pass": template("openssl enc -aes-256-cbc -k {value} -in a -out b"),
    "openssl-passin": template("openssl rsa -in k.pem -passin pass:{value}"),
    "keytool": template("keytool -genkey -keystore a.jks -storepass {value} -alias x"),
    "gpg": template("gpg --batch --passphrase {value} -d f.gpg"),
    "ssh-keygen": template("ssh-keygen -t ed25519 -N '{value}' -f id"),
    "sshpass-env": template("SSHPASS={value} sshpass -e ssh root@10.0.0.2"),
    "zip": template("zip -P {value} out.zip a.txt"),
    "7z": template("7z x a.7z -p{value}"),
    "chpasswd": template("echo 'deploy:{value}' | chpasswd"),
    "net-use": template("net use Z: \\\\nas\\s /user:bob {value}"),
    "net-user": template("net user bob {value} /add"),
    "createuser-pg": template("ALTER USER app PASSWORD '{value}';"),
    "create-user-mysql": template("CREATE USER app@localhost IDENTIFIED WITH mysql_native_password BY '{value}';"),
    "set-password": template("SET PASSWORD FOR 'app'@'%' = PASSWORD('{value}');"),
    "mssql-login": template("CREATE LOGIN app WITH PASSWORD = N'{value}', CHECK_POLICY = ON;"),
    "mongo-createuser": template('db.createUser({user: "app", pwd: "{value}", roles: []})'),
    "htpasswd": template("htpasswd -cb .htpasswd bob {value}"),
    "rabbitmq": template("rabbitmqctl change_password app {value}"),
    "az-login": template("az login --service-principal -u app -p {value} --tenant t"),
    "wifi": template('network={\n  ssid="office"\n  psk="{value}"\n}'),
    "nmcli": template("nmcli dev wifi connect office password {value}"),
    "expect": template('expect "assword:" { send "{value}\\r" }'),
    "login-form": template("username=bob&password={value}&submit=Login"),
    "requests-auth": template("requests.get(u, auth=('bob', '{value}'))"),
    "smtp-login": template('smtp.login("bob@example.com", "{value}")'),
    "psycopg": template("psycopg.connect(host='db', user='app', password='{value}')"),
    "java-get-connection": template('DriverManager.getConnection(url, "app", "{value}");'),
    "prose-password": template("Log in with user bob and password {value} please"),
    "prose-password-is": template("hi, the admin password is: {value}"),
    "prose-pw": template("pw: {value}"),
    "prose-old-new": template("Change the password from old1 to {value} on the server."),
    "prose-german": template("Das Passwort lautet {value}."),
    "prose-french": template("Le mot de passe est {value}."),
    "prose-spanish": template("La contraseña es {value}"),
    "prose-portuguese": template("A senha do banco é {value}"),
    "prose-italian": template("La password è {value}"),
    "prose-dutch": template("Het wachtwoord is {value}"),
    "prose-polish": template("Hasło to {value}"),
    "prose-russian": template("Пароль: {value}"),
    "prose-chinese": template("数据库密码是 {value}"),
    "prose-japanese": template("パスワードは {value} です"),
    "user-slash-pass": template("credentials: bob/{value}"),
    "user-colon-pass": template("login as bob:{value}"),
    "stdin-prompt": template("Password: {value}\nWelcome back, bob\n"),
    "pass-show": template("$ pass show db/prod\n{value}\nuser: app"),
    "read-pass": template("read -s PASS <<< '{value}'"),
    "tee": template("echo -n '{value}' > /run/secrets/db_password"),
    "base64-decode": template("kubectl get secret db -o jsonpath='{.data.password}' | base64 -d\n{value}"),
    "argv-json": template('["mysql", "-u", "root", "-p{value}", "shop"]'),
    "powershell-credential": template("New-Object PSCredential('bob', (ConvertTo-SecureString '{value}' -AsPlainText -Force))"),
}  # fmt: skip
