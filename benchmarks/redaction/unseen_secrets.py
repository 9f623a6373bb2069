"""Secrets of twelve families in the places where agents meet them, one template an entry.

Each is (family, place, template): the place is where a client's payload holds the text.
"""

# ruff: noqa: E501
from __future__ import annotations

PROMPT, COMMAND, FILE, OUTPUT = "prompt", "command", "file", "output"

_TEXT = r"""
cloud|file|[default]<nl>aws_access_key_id = AKIAQ2EXAMPLEUSERXX<nl>aws_secret_access_key = {aws}<nl>
cloud|file|AccountName=shop;AccountKey={b64long};EndpointSuffix=core.windows.net
cloud|output|{"accessKeyId": "x", "secretAccessKey": "{aws}", "sessionToken": null}
cloud|output|[{"keyName": "key1", "permissions": "FULL", "value": "{b64long}"}]
cloud|output|{<nl>  "appId": "a",<nl>  "displayName": "ci",<nl>  "password": "{strong}",<nl>  "tenant": "t"<nl>}
cloud|output|key1  FULL  {b64long}
cloud|file|GOOGLE_CLIENT_SECRET=GOC{t24}
cloud|file|DO_TOKEN="{hex64}"
cloud|file|cloudflare_api_key: {hex32}
cloud|command|az storage account keys list -n shop --query '[0].value' # {b64long}
cloud|output|Cluster admin kubeconfig token: {t48}
cloud|file|linode_token: {hex64}
cloud|output|SecretString: {pw}
cloud|output|{"SecretAccessKey":"{aws}","Expiration":"2026-11-24T00:00:00Z"}
cloud|file|export OCI_AUTH_TOKEN='{t20}'
cloud|file|HCLOUD_TOKEN={t48}
cloud|output|primaryConnectionString: Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey={b64}
database|file|DATABASE_URL=postgres://shop:{strong}@db.internal:5432/shop
database|file|spring.datasource.password={pw}
database|file|<add name="db" connectionString="Server=db;Database=s;User Id=sa;Password={pw};" />
database|file|define('DB_PASSWORD', '{pw}');
database|file|'password' => env('DB_PASS', '{pw}'),
database|output|ALTER USER shop WITH PASSWORD '{pw}';
database|output|CREATE USER 'ana'@'%' IDENTIFIED BY '{pw}';
database|file|mongodb+srv://ana:{strong}@cluster0.example.net/?retryWrites=true
database|file|redis: {host: cache, port: 6379, password: {pw}}
database|file|[client]<nl>user=ana<nl>password="{pw}"<nl>
database|file|db.internal:5432:shop:ana:{pw}
database|file|jdbc:sqlserver://db;user=sa;password={pw};encrypt=true
database|file|amqp://ana:{strong}@mq.internal/vhost
database|output|"connection_string": "Host=db;Username=ana;Password={pw};Database=shop"
database|file|export const pool = new Pool({ user: "ana", password: "{pw}" })
database|file|sa_password: "{pw}"
database|prompt|the db login is ana / {pw} on db.internal
vcs|file|https://ana:{gh}@github.com/a/b.git
vcs|file|{"github-oauth": {"github.com": "{hex40}"}}
vcs|file|{"gitlab-token": {"gitlab.example.com": "{t20}"}}
vcs|file|{"http-basic": {"repo.example.com": {"username": "ana", "password": "{pw}"}}}
vcs|file|{"bitbucket-oauth": {"bitbucket.org": {"consumer-key": "k", "consumer-secret": "{t32}"}}}
vcs|file|{"bearer": {"repo.example.com": "{t40}"}}
vcs|file|github.com:<nl>    oauth_token: {gh}<nl>    user: ana<nl>
vcs|file|machine github.com login ana password {gh}
vcs|output|remote: https://x-access-token:{t40}@github.com/a/b
vcs|file|[credential "https://dev.example.com"]<nl>  password = {t48}
vcs|file|//npm.pkg.github.com/:_authToken={gh}
vcs|file|registry=https://npm.example.com/<nl>_auth={b64}<nl>
vcs|file|GITLAB_RUNNER_TOKEN: {t20}
vcs|file|private_token = "{t20}"
vcs|prompt|push with this token {gh} please
vcs|output|Personal access token created: {t40}
ci|file|env:<nl>  SLACK_HOOK_SECRET: {t24}<nl>  NODE_ENV: test<nl>
ci|file|sonar.login={hex40}
ci|file|codecov:<nl>  token: {uuid}<nl>
ci|file|{"auths": {"r.example.com": {"auth": "{b64}"}}}
ci|file|jobs:<nl>  deploy:<nl>    env: { NPM_TOKEN: "{uuid}" }<nl>
ci|file|- name: KEY<nl>  secure: {b64long}<nl>  plain_token: {t40}<nl>
ci|file|pypi_token: {t48}
ci|output|::add-mask::{t40}
ci|file|<server><id>nexus</id><username>ana</username><password>{pw}</password></server>
ci|file|fastlane_password: {pw}
ci|file|signing.keyPassword={pw}
ci|file|SENTRY_AUTH_TOKEN={hex64}
ci|file|DOCKERHUB_PWD: '{pw}'
ci|file|k8s_bearer: {t48}
keys|file|-----BEGIN PRIVATE KEY-----<nl>{b64long}<nl>-----END PRIVATE KEY-----<nl>
keys|output|{b64long}<nl>{b64long}<nl>-----END RSA PRIVATE KEY-----<nl>
keys|output|...{b64long}==<nl>-----END OPENSSH PRIVATE KEY-----
keys|output|{b64long}<nl>-----END EC PRIVATE KEY-----
keys|file|"private_key": "-----BEGIN PRIVATE KEY-----\n{b64long}\n-----END PRIVATE KEY-----\n"
keys|file|PrivateKey = {b64}<nl>Address = 10.0.0.2/24
keys|file|PresharedKey = {b64}
keys|file|PuTTY-User-Key-File-3: ssh-ed25519<nl>Private-Lines: 1<nl>{b64}<nl>Private-MAC: x
keys|file|AGE-SECRET-KEY-1{t32}
keys|file|JWT_SECRET={hex64}
keys|file|secret_key_base: {hex64}
keys|file|SECRET_KEY = 'django-insecure-{t48}'
keys|file|APP_KEY=base64:{b64}
keys|file|const ENCRYPTION_KEY = Buffer.from("{hex64}", "hex");
keys|file|cookie_secret = "{t32}"
keys|output|Unseal Key 1: {b64}
keys|output|Initial Root Token: hvs.{t24}
chat|prompt|here's my api key: {t32}
chat|prompt|here's my api key: {strong}
chat|prompt|use this token {t40} for the calls
chat|prompt|use this token {hex40} to log in
chat|prompt|my password is {pw}, please log in
chat|prompt|the key is {hex32}, put it in .env
chat|prompt|login with ana and {pw}
chat|prompt|Passwort: {pw}
chat|prompt|the wifi password is {pw}
chat|prompt|mi contrasena es {pw}
chat|prompt|try the secret {t40} instead
chat|prompt|OPENAI key -> {t48}
chat|prompt|set the admin pw to {pw}
chat|prompt|auth with bearer {t40}
chat|prompt|ldap bind: cn=admin,dc=example,dc=com / {pw}
chat|prompt|creds for staging: admin / {pw}
chat|prompt|pin is {pin} for the vault
code|file|const t = "gh" + "p_{t20}" + "{t20}";
code|file|token = 'ghp_' + '{t40}'
code|file|$apiKey = 'sk_live_' . '{t24}';
code|file|api_key = ("{t20}"<nl>           "abc9Xq71Lm22")
code|file|String password = "{pw}" + "";
code|file|const API_TOKEN = "{t20}" +<nl>  "Zk29xQ7mL1";
code|file|token := "{t24}" + "q7Zk29xLm1"
code|file|apiToken = "{t20}" & "q7Zk29xLm1"
code|file|SECRET = "{hex20}" "{hex20}"
code|file|db_password = 'Har' + '{pw}'
code|file|let token = concat!("ghp_", "{t40}");
code|file|token = "".join(["ghp_", "{t40}"])
code|file|key: `sk_live_${"{t24}"}`
code|file|password: "{pw}", // rotate
code|file|auth("ana", "{pw}")
code|file|API_KEY = os.environ.get("API_KEY", "{t32}")
wrapped|output|token:<nl>  {t40}<nl>
wrapped|output|{<nl> "token":<nl>   "{t40}"<nl>}
wrapped|output|{"password":<nl>"{pw}"}
wrapped|output|{<nl>  "client_secret" :<nl>      "{t32}",<nl>  "a": 1<nl>}
wrapped|output|"api_key":<nl>    "{hex32}"
wrapped|output|password: >-<nl>  {pw}<nl>user: ana<nl>
wrapped|output|secret: |<nl>  {t40}<nl>
wrapped|file|export TOKEN=\<nl>{t40}
wrapped|file|API_TOKEN: \<nl>  {t40}
wrapped|output|"access_token" :<nl><nl>"{t40}"
wrapped|output|Your new API key:<nl><nl>    {t40}<nl><nl>Store it now.
wrapped|output|Password:<nl>{pw}<nl>
wrapped|output|<password><nl>  {pw}<nl></password>
wrapped|output|client_secret =<nl>    {t32}
terraform|file|{"type": "random_password", "name": "db", "instances": [{"attributes": {"bcrypt_hash": "x", "length": 16, "result": "{strong}"}}]}
terraform|file|{"mode":"managed","type":"random_password","instances":[{"attributes":{"id":"none","result":"{pw}"}}]}
terraform|file|"connection_string": "{t48}"
terraform|file|"primary_connection_string": "Endpoint=sb://x/;SharedAccessKey={b64}"
terraform|file|"master_password": "{pw}",
terraform|file|"sensitive_values": {"token": "{t40}"}
terraform|file|db_password = "{pw}"
terraform|file|+ password = "{pw}"
terraform|file|"primary_access_key": "{b64long}",
terraform|file|"type": "random_string",<nl>"instances": [{"attributes": {"result": "{strong}"}}]
terraform|file|"client_certificate_key_pem": "{b64long}"
terraform|file|variable "token" {<nl>  default = "{t40}"<nl>}
terraform|output|db_password = "{pw}"<nl>endpoint = "db.internal"
terraform|file|"secret_string": "{pw}"
terraform|file|"admin_password":"{pw}"
terraform|file|"kube_config_raw": "token: {t48}"
webhook|file|https://hooks.slack.com/services/T00AA11BB/B00CC22DD/{t24}
webhook|file|https://discord.com/api/webhooks/1234567890123456789/{t48}{t20}
webhook|file|https://contoso.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex32}/{uuid}
webhook|file|https://outlook.office.com/webhook/{uuid}
webhook|prompt|post to https://hooks.zapier.com/hooks/catch/123456/{t20}/
webhook|prompt|https://maker.ifttt.com/trigger/x/with/key/{t24}
webhook|file|https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token={t40}
webhook|file|https://prod-12.westus.logic.azure.com/workflows/{hex32}/triggers/manual/paths/invoke?sig={t40}
webhook|file|WEBHOOK_URL=https://alerts.example.com/hook/{t32}
webhook|file|webhook: https://example.com/api/webhooks/{hex40}
webhook|file|https://api.telegram.org/bot123456789:AA{t32}x/sendMessage
webhook|file|https://hooks.example.com/incoming/{t40}
webhook|file|https://mattermost.example.com/hooks/{t24}
webhook|file|https://hc-ping.com/{uuid}
webhook|file|https://events.pagerduty.com/integration/{hex32}/enqueue
webhook|prompt|the webhook is https://ci.example.com/generic-webhook-trigger/invoke?token={t24}
header|command|curl -H "Authorization: Bearer {jwt}" https://api.example.com
header|command|curl -H 'X-Api-Key: {t32}' https://api.example.com
header|command|curl -b 'session={t40}' https://api.example.com
header|output|set-cookie: sid={t40}; HttpOnly; Path=/
header|output|< x-vault-token: hvs.{t24}
header|output|"Authorization": "Token {hex40}"
header|command|curl -H "PRIVATE-TOKEN: {t20}" https://git.example.com/api/v4/projects
header|command|curl 'https://api.example.com/?access_token={t40}'
header|output|cookie: a=b; auth_token={hex40}
header|command|curl -H 'Cookie: JSESSIONID={hex32}' https://example.com
header|file|proxy_set_header Authorization "Basic {b64}";
header|file|headers: { "x-functions-key": "{t48}" }
header|file|Ocp-Apim-Subscription-Key: {hex32}
header|command|wget --header='X-Auth-Token: {t40}' https://example.com/f
directory|file|bindpw {pw}
directory|file|olcRootPW: {pw}
directory|file|ldap_default_authtok = {pw}
directory|file|bind_dn: cn=svc,dc=ex<nl>bind_password: {pw}
directory|prompt|ldap bind is cn=svc,dc=ex with {pw}
directory|prompt|smtp: mailer@example.com / {pw}
directory|file|smtp_sasl_password_maps: [mail.example.com]:587 ana:{pw}
directory|file|[mail.example.com]:587 ana@example.com:{pw}
directory|file|MAIL_PASSWORD="{pw}"
directory|file|AuthUser=ana<nl>AuthPass={pw}<nl>
directory|file|ana:{pw}:1001:1001::/home/app:/bin/sh
directory|file|uid=ana,ou=people: userPassword: {pw}
directory|file|LDAP_BIND_PW={pw}
directory|file|admin_server_pw = {pw}
escaped|file|token = "\x67\x68\x70\x5f{t40}"
escaped|file|key = "\u0073\u006b\u005f\u006c\u0069\u0076\u0065\u005f{t24}"
escaped|file|{\"token\": \"{t40}\"}
escaped|output|"body": "{\\"password\\": \\"{pw}\\"}"
escaped|command|echo 'password%3D{pw}' | xargs
escaped|output|&quot;apiKey&quot;:&quot;{t32}&quot;
escaped|file|password=%22{pw}%22&user=ana
escaped|output|token\u003d{t40}
escaped|file|url=https%3A%2F%2Fana%3A{strong}%40git.example.com
escaped|file|$'pass=\x27{pw}\x27'
""".strip()

ENTRIES: tuple[tuple[str, str, str], ...] = tuple(
    (family, place, template.replace("<nl>", "\n"))
    for family, place, template in (line.split("|", 2) for line in _TEXT.split("\n"))
)
