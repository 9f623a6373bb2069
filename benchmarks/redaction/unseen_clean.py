"""Look-alikes: what agents write every day, with the words, options and shapes of secrets, and no
secret in it; no e-mail address with a domain either, which is personal data. Names are of
programs, columns, branches; digests and ids are made at run time."""

from __future__ import annotations

TEMPLATES: tuple[str, ...] = tuple(
    line.replace("<nl>", "\n")
    for line in r"""
twilio login --help
twilio phone-numbers:list
snyk test --all-projects
snyk auth
ngrok http 8080 --log=stdout
cloudflared tunnel list
cargo login
cargo build --release -p core
conda token list
op signin
op item get Database --fields username
supabase link --project-ref abcdefghijklmnopqrst
supabase start -x studio
gcloud secrets list --project shop
gcloud secrets versions access latest --secret=db-pass
gcloud secrets create db-pass --data-file=secret.txt
consul acl token list
consul members
nomad status web
signtool verify /pa app.exe
signtool sign /a /fd SHA256 app.exe
heroku auth:whoami
heroku logs --tail -a shop
az login --identity
az account show -o table
gh auth status
gh pr list --limit 20
gh secret list
glab mr list -t bug
npm config get registry
npm publish --access public
npm run build -p tsconfig.json
docker run -p 8080:80 -u 1000:1000 nginx
docker login registry.example.com
docker compose -p shop up -d
helm list -n prod
helm upgrade shop ./chart --set image.tag=v1.2.3
kubectl get secret db -o yaml
kubectl create secret generic db --from-file=./password.txt
kubectl logs -p web-6d4cf56db6-x7k2p
oc login
vault login -method=oidc
vault kv get secret/shop
vault status
mysql -u root -p shop < dump.sql
mysql -uroot -p
mysqldump --single-transaction shop
psql -h db -U ana -d shop -p 5433
psql -c 'select password from users limit 1'
redis-cli -h cache -p 6380 ping
redis-cli -a "$REDIS_PASSWORD" ping
mongosh --port 27018 --eval 'db.stats()'
sshpass -f /run/pw ssh host
sshpass -e ssh host
ssh -p 2222 host uptime
scp -P 2222 f host:/tmp/
curl -u "$USER:$PASS" https://api.example.com
curl -sSL https://example.com/install.sh -o install.sh
curl -H "Authorization: Bearer $TOKEN" https://api.example.com
curl -b cookies.txt -c cookies.txt https://example.com
wget --user-agent=Mozilla https://example.com/a
wget -P downloads https://example.com/a.tgz
ftp files.example.com
lftp -e 'mirror -R dist /www; quit' files.example.com
smbclient -L nas -N
rclone sync src remote:dst -P
rclone config show
restic -r /b snapshots --tag daily
restic backup --password-file /run/pw /home/app/data
borg list /b::a
ansible-vault view group_vars/all.yml
ansible-vault encrypt secrets.yml --vault-password-file .vp
ansible-playbook site.yml -K -k
openssl rand -hex 32
openssl x509 -in c.pem -noout -text
openssl enc -d -aes-256-cbc -pass env:PW -in b
openssl dgst -sha256 file.bin
keytool -list -keystore app.jks
gpg --verify a.sig a.tgz
gpg --passphrase-file /run/pp -d a.gpg
7z x archive.7z -ooutput
7z l archive.7z
zip -r out.zip src docs
unzip -o -q a.zip -d dest
net use
net use Z: /delete
net use Z: \\nas\share /persistent:yes
runas /user:CORP\ana cmd
schtasks /query /fo LIST
wmic os get caption
cmdkey /list
winrs -r:srv hostname
evil-winrm --help
impacket-GetUserSPNs -h
ldapsearch -x -b dc=ex -W -D cn=admin
ldapsearch -x -H ldap://dir -b dc=example,dc=com '(uid=ana)'
kinit -k -t /etc/krb5.keytab svc
kinit ana@REALM
htpasswd -c .htpasswd ana
passwd ana
chpasswd < users.txt
mosquitto_sub -h mq -t 'sensors/#' -v
nats sub 'orders.>'
sentry-cli releases list
vercel --prod
vercel deploy -t production
netlify deploy --prod --dir=dist
fly deploy -a shop
fly secrets list
railway up
railway variables
doppler run -- npm start
doppler secrets get DB_PASS
pulumi up --yes
pulumi config set region eu-west-1
pulumi login s3://state-bucket
terraform login app.terraform.io
terraform apply -var 'region=eu-west-1'
terraform plan -out=tfplan
wrangler secret list
wrangler deploy --env production
doctl auth list
hcloud server list
huggingface-cli download org/model
wandb login --relogin
buildkite-agent start
circleci config validate
gitlab-runner verify
argocd app sync shop
jfrog rt ping
mvn -q -DskipTests=true package
gradle build -Pversion=1.2.3
dotnet test -v minimal
nuget push a.nupkg -Source local
gem push a.gem
composer require monolog/monolog
pip install -r requirements.txt --index-url https://pypi.org/simple
git clone https://github.com/example/project.git
git log --format='%H %an' -n 5
git config user.signingkey
svn up -r HEAD
p4 login -s
sudo -S true < /run/pw
sudo -u www-data php artisan migrate
useradd -m -s /bin/bash -p '*' svc
cryptsetup luksDump /dev/sdb1
nmcli dev wifi list
wpa_passphrase
ipmitool -H bmc sensor
snmpwalk -v2c -c public sw1
sqlcmd -S srv -E -Q 'select 1'
sqlplus / as sysdba
bcp t out f -T -S srv
cqlsh db -e 'describe tables'
rabbitmqctl list_users
kcat -b k:9092 -L
openvpn --config a.ovpn
tailscale up --ssh
mc ls s3/bucket
s3cmd ls s3://bucket
aws configure list
aws s3 cp a s3://bucket/ --sse-kms-key-id alias/app
aws sts get-caller-identity --profile prod
git commit -m "fix: token refresh" \<nl>  --no-verify
docker build \<nl>  --build-arg VERSION=1.2.3 \<nl>  -t shop:latest .
curl \<nl>  --silent \<nl>  https://example.com/healthz
pytest tests/test_tokens.py \<nl>  -k 'password and not slow'
helm install key-manager \<nl>  charts/key-manager
Get-ChildItem -Path . `<nl>  -Recurse
echo one ^<nl>  two
export PATH=\<nl>$PATH:/opt/bin
grep -rn "password" src --include=*.py
rg 'api[_-]?key' -g '!node_modules'
echo "use this token for parsing"
echo "here's my api key: $API_KEY"
echo "Enter password: "
read -s -p "Password: " PW
cat .env.example | grep TOKEN
jq -r .access_token resp.json
TOKEN=$(cat /run/secrets/token) ./deploy.sh
PASSWORD=$(pass show db) psql
export API_KEY=${API_KEY:?missing}
password: ${DB_PASSWORD}
password = os.environ["DB_PASSWORD"]
token = get_token(user) + suffix
const key = prefix + ":" + id;
const label = "pass" + "word";
token = "access" + "_token"
'a' . 'b' . 'c'
path = "src/" + "components/" + "Button.tsx"
raise ValueError("bad token" + str(n))
msg = ("the password must have "<nl>       "at least twelve characters")
const url = "https://" + host + "/api/v1";
sql = "select * from " + table + " where id = " + id
"\x48\x65\x6c\x6c\x6f"
"\u0048\u0065\u006c\u006c\u006f, world"
regex = "\\b[A-Za-z0-9]{40}\\b"
sha256:{hex64}
commit {hex40}
"integrity": "sha512-{b64long}"
"etag": "{hex32}"
blob {hex40} 1234
request_id={uuid}
trace_id: {hex32} span_id: 00f067aa0ba902b7
session {uuid} resumed
docker pull nginx@sha256:{hex64}
image: registry.example.com/app@sha256:{hex64}
go: h1:{b64}
"resolved": "https://registry.npmjs.org/x/-/x-1.0.0.tgz#{hex40}"
git checkout {hex40}
git show {hex20}:src/app.py
uuid={uuid}
container {hex64} started
md5sum: {hex32}  file.iso
nonce="{hex20}"
build-id: {hex40}
https://example.com/articles/{uuid}
https://cdn.example.com/assets/app.{hex20}.js
https://github.com/a/b/commit/{hex40}
https://example.com/webhooks/docs/getting-started
https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
https://example.com/hooks
https://example.com/hooks/pre-commit
https://reactjs.org/docs/hooks-reference.html
https://registry.example.com/v2/shop/manifests/sha256:{hex64}
{"type": "random_password", "name": "db"}
{"type": "random_pet", "result": "loyal-marmot"}
{"attributes": {"result": "success", "length": 16}}
{"result": "ok", "value": 12}
{"permissions": "FULL", "value": "yes"}
"connection_string": null
"github.com": "enabled"
{"hosts": {"github.com": "ssh"}}
{"token":<nl>  null}
{"password":<nl>  "string"}
"token":<nl>  {"type": "string"}
"key":<nl>  "name"
password:<nl>  required: true
secret:<nl>  name: db
Password:<nl>Login incorrect
token:<nl>- a<nl>- b
api key:<nl>see the docs
-----BEGIN CERTIFICATE-----<nl>{b64long}<nl>-----END CERTIFICATE-----
{b64long}<nl>-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----<nl>{b64}<nl>-----END PUBLIC KEY-----
use this token bucket algorithm
use this key to sort the rows
the token is invalid
here's my api key handling code: see auth.py
the key is name, the value is age
my password is never stored
login with google and github
login with ana and bob
set the admin page to dark mode
the secret to good tests is isolation
try the secret santa generator instead
auth with bearer tokens
ldap bind: anonymous
ldap bind: cn=reader,dc=example,dc=com / simple
creds for staging: see vault
smtp: mailer@localhost
pin the version to 1.2.3
pin is 13 on the board
pass 42 of 99 done
tests pass 128, fail 2
db pass is slow
rem pw rotation is in docs
# db pass 2 of 3
ana:x:1001:1001::/home/app:/bin/sh
bind_dn: cn=svc,dc=ex
TOKEN_LIMIT=200000
MAX_TOKENS: 4096
"tokens": 15234
KEY_SIZE=2048
PASSWORD_MIN_LENGTH=12
SECRET_NAME=db-credentials
passwordPolicy: strict
token_type: bearer
grant_type=client_credentials
key_path: /etc/ssl/private/app.key
AWS_PROFILE=production
PRIVATE_KEY_FILE=./key.pem
ssn validation in forms.py
order 123-45-6789-00
version 12.34.567
part number 219-09-9999-A
build 536-22-872
2026-11-24 12:34:56
phone model SM-G991B
10.0.0.1:5432
192.168.178.22 gateway
8.8.8.8
::1
127.0.0.1
::ffff:10.0.0.1
id 123456789
id 12345678901
invoice 4711-2026-11
serial 1234 5678 9012
timestamp 1700000000000
epoch 1732406400
1234567890123
12345678 rows
00000000T
row 84512376 deleted
sku 85073003328
isbn 978-3-16-148410-0
ean 4006381333931
bytes 440044
pid 19850101
date 19850101-1234
ref 850101-1234
tracking 1Z999AA10123456784
mac 00:1b:44:11:3a:b7
lat 52.520008, lon 13.404954
/home/linuxbrew/.linuxbrew/bin/brew
/home/runner/work/app/app
/home/node/app/index.js
/home/ubuntu/.ssh/authorized_keys
/Users/runner/work
/Users/Shared/data
/users/{uuid}/profile
GET /users/42/orders
https://example.com/users/list
https://example.com/home/pricing
src/home/index.tsx
pages/Users/List.vue
cd ~/project && ls
~root/.ssh
sudo -u postgres psql
sudo -u root id
chown root:root f
chown -R www-data:www-data /var/www
chown 1000:1000 f
USER=root
LOGNAME=nobody
USER node
su - postgres -c 'psql'
crontab -l
crontab -u root -l
git config user.name
git config --global user.email
git config user.name "CI Bot"
ssh host uptime
ssh git@github.com
ssh root@10.0.0.4
scp f root@host:/tmp
git clone git@github.com:a/b.git
id -u
id root
useradd --system app
passwd root
userdel --help
user: admin
const user = "guest";
select * from users where name = 'x'
whoami
npm install @types/node@20.1.0
pip install pkg==1.0
a@b c@d
icon@2x.png
@app.route("/users")
user@example
def token(self) -> str: ...
class PasswordField(Field): pass
import { useToken } from "./token";
if password != confirm:
assert token is not None
print(f"token={token}")
logger.info("password reset for %s", user)
<input type="password" name="password" />
<label>API key</label>
ALTER TABLE users ADD COLUMN password_hash text;
GRANT SELECT ON shop TO reader;
fetch(url, { headers: { Authorization: `Bearer ${token}` } })
Authorization: Bearer <token>
Authorization: Basic <base64>
X-Api-Key: YOUR_API_KEY
token: xxxxxxxx
password: ********
password=changeme # TODO
apikey=<your key>
export TOKEN=...
PEM_read_bio_PrivateKey(bio, NULL, cb, u)
ssh-keygen -t ed25519 -C comment -f key
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{t40}abc comment
fingerprint SHA256:{b64}
certificate serial {hex32}
kms key arn:aws:kms:eu-west-1:123456789012:key/{uuid}
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db
projects/shop/secrets/db/versions/3
vault:secret/data/shop#password
op://Private/db/password
{{ secrets.DEPLOY_TOKEN }}
${{ secrets.NPM_TOKEN }}
!vault |
kid: {uuid}
client_id: {uuid}
tenant_id={uuid}
subscription {uuid}
project_number: 123456789012
az account set -s {uuid}
gcloud config set project shop-{pin}
kubectl config use-context prod
docker tag {hex20} shop:latest
docker stop {hex20}
systemctl restart key-service
make -j4 pass=1
tar -xzf a.tgz -C /opt
rsync -avz -e 'ssh -p 2222' src/ host:/dst
find . -name '*.key' -newer x -print
sed -i 's/password=.*/password=REDACTED/' f
awk -F: '{print $1}' /etc/passwd
python -m pytest -p no:cacheprovider
node -p 'process.version'
perl -pe 's/x/y/' f
mkdir -p build/key
cp -p a b
ps -u www-data -p 1234
lsof -u root -p 22
iptables -A INPUT -p tcp --dport 22 -j ACCEPT
nmap -p 1-1024 -u host
rg -u -p pattern
""".strip().split("\n")
)
