"""Command lines that were chosen to be hard: a secret where the tool takes it, and no name or
format that says so; continued lines; here-strings. One template an entry, shells mixed."""

from __future__ import annotations

TEMPLATES: tuple[str, ...] = tuple(
    line.replace("<nl>", "\n")
    for line in r"""
twilio login AC00aa11bb22cc33dd44ee55ff66aa77bb {hex32}
twilio profiles:create --account-sid ACxx --auth-token {hex32}
snyk auth {uuid}
snyk config set api={uuid}
ngrok authtoken {t48}
ngrok config add-authtoken {t48}
cloudflared service install {b64long}
cloudflared tunnel run --token {b64long}
cargo login {t32}
cargo publish --token {t32}
conda token set {t40}
anaconda login --username ana --password {pw}
op signin my.1password.com ana@example.com {strong} --raw
op signin --raw <<< '{pw}'
echo '{pw}' | op signin --raw
supabase link --project-ref abcdefghij -p {pw}
supabase login --token {hex40}
gcloud secrets versions add db-pass --data-file=- <<< '{pw}'
gcloud secrets create db-pass --data-file=- <<<"{pw}"
printf '%s' '{pw}' | gcloud secrets create db-pass --data-file=-
consul acl set-agent-token agent {uuid}
consul kv get -token={uuid} app/config
consul members -token {uuid}
nomad acl token info -token={uuid}
nomad status -token {uuid}
signtool sign /f cert.pfx /p {pw} app.exe
signtool.exe sign /fd SHA256 /f C:\certs\code.pfx /p "{pw}" /tr http://ts.example.com app.msi
heroku auth:token {uuid}
HEROKU_API_KEY={uuid} heroku apps
az login --service-principal -u app-id -p {strong} --tenant contoso
az login -u ana@contoso.example -p '{pw}'
az storage blob list --account-name shop --account-key {b64long}
az acr login -n shop -u shop -p {strong}
az sql server create -n shop -u dba -p {pw}
gh auth login --with-token <<< {hex40}
echo {hex40} | gh auth login --with-token
gh secret set DEPLOY_KEY -b {pw}
gh secret set DEPLOY_KEY --body "{pw}"
glab auth login --token {t20}
glab auth login --hostname git.example.com -t {t20}
npm config set //registry.npmjs.org/:_authToken {uuid}
npm config set //registry.npmjs.org/:_authToken={uuid}
npm login --registry https://npm.example.com <<< $'ana\n{pw}\nana@example.com'
yarn config set npmAuthToken {uuid}
pnpm config set '//npm.example.com/:_authToken' '{uuid}'
twine upload -u ana -p {pw} dist/*
twine upload -u __token__ -p {t40} dist/*
poetry config pypi-token.pypi {t40}
poetry config http-basic.internal ana {pw}
uv publish --token {t40}
flit publish --username ana --password {pw}
docker login -u ana -p {pw} registry.example.com
docker login registry.example.com -u ana --password={pw}
echo {pw} | docker login -u ana --password-stdin
docker run -e MYSQL_ROOT_PASSWORD={pw} mysql:8
helm registry login registry.example.com -u ana -p {pw}
helm repo add shop https://charts.example.com --username ana --password {pw}
helm upgrade shop ./chart --set postgresql.auth.password={pw}
kubectl config set-credentials ana --token={t40}
kubectl config set-credentials ana --username=ana --password={pw}
kubectl create secret generic db --from-literal=value={pw}
kubectl create secret docker-registry reg --docker-username=ana --docker-password={pw}
oc login --token={t40} --server=https://api.example.com:6443
oc login https://api.example.com:6443 -u ana -p {pw}
vault login {t24}
vault login -method=userpass username=ana password={pw}
vault kv put secret/shop value={pw}
vault write auth/approle/login role_id=shop secret_id={uuid}
vault unwrap {t24}
vault operator unseal {b64}
mysql -uroot -p{pw} shop
mysql --user=root --password={pw} -e 'select 1'
mysqldump -h db -u ana -p'{pw}' shop
mariadb -uana -p"{pw}" shop
psql "host=db user=ana password={pw} dbname=shop"
psql postgresql://ana:{pw}@db.example.com/shop
PGPASSWORD={pw} psql -h db -U ana shop
redis-cli -a {pw} -h cache ping
redis-cli -u redis://default:{strong}@cache:6379
redis-cli -h cache --pass {pw}
redis-cli AUTH {pw}
redis-cli -h cache auth ana {pw}
mongosh -u ana -p {pw} --authenticationDatabase admin
mongosh "mongodb://ana:{strong}@db/shop"
mongodump --username ana --password {pw} --out /tmp/d
sshpass -p {pw} ssh ana@10.0.0.4
sshpass -p'{pw}' scp f ana@10.0.0.4:
SSHPASS={pw} sshpass -e ssh ana@10.0.0.4
curl -u ana:{pw} https://api.example.com/v1
curl --user 'ana:{pw}' -X POST https://api.example.com/v1
curl -sS -uana:{pw} https://api.example.com
curl -U ana:{pw} -x proxy:8080 https://example.com
curl -H 'X-Auth: {t32}' https://api.example.com
curl -d 'user=ana&pass={pw}' https://example.com/login
wget --user=ana --password={pw} https://files.example.com/a
wget --http-user=ana --http-passwd={pw} https://files.example.com/a
wget --ftp-user ana --ftp-password {pw} ftp://files.example.com/a
ftp ftp://ana:{strong}@files.example.com/
lftp -u ana,{pw} sftp://files.example.com
lftp -e 'open -u ana,{pw} files.example.com; ls'
ncftpput -u ana -p {pw} files.example.com / a.tgz
smbclient //nas/share -U ana%{pw}
smbclient //nas/share {pw} -U ana
smbclient -L nas -U 'CORP\ana%{pw}'
rclone config create nas sftp host nas user ana pass {pw}
rclone obscure {pw}
rclone lsd :sftp,host=nas,user=ana,pass={strong}:
RESTIC_PASSWORD={pw} restic -r /b snapshots
restic -r sftp:nas:/b --password-command 'echo {pw}' backup .
BORG_PASSPHRASE='{pw}' borg create ::a .
borg key change-passphrase <<< {pw}
ansible-vault encrypt_string '{pw}' --name db_pass
ansible all -m ping -e ansible_password={pw}
ansible-playbook site.yml --extra-vars "ansible_become_pass={pw}"
openssl enc -aes-256-cbc -k {pw} -in a -out b
openssl rsa -in k.pem -passin pass:{pw}
openssl pkcs12 -export -in c.pem -out c.p12 -passout pass:{pw}
openssl enc -d -aes-256-cbc -pass pass:{pw} -in b
openssl passwd -6 {pw}
keytool -genkeypair -storepass {pw} -alias a
keytool -importkeystore -srcstorepass {pw} -srckeystore a.jks
jarsigner -storepass {pw} -keypass x app.jar k
apksigner sign --ks k.jks --ks-pass pass:{pw} app.apk
gpg --batch --passphrase {pw} -d a.gpg
gpg --batch --pinentry-mode loopback --passphrase-fd 0 -d a.gpg <<< {pw}
7z x -p{pw} a.7z
7z a -p'{pw}' -mhe a.7z d
zip -P {pw} a.zip f
zip -r -P '{pw}' a.zip d
unzip -P {pw} a.zip
unrar x -p{pw} a.rar
net use Z: \\nas\share {pw} /user:ana
net use \\nas\share /user:CORP\ana {pw}
net user ana {pw} /add
runas /user:CORP\ana /savecred "cmd /c echo {pw}"
schtasks /create /tn job /tr a.exe /ru CORP\ana /rp {pw}
wmic /node:srv /user:ana /password:{pw} os get caption
cmdkey /add:srv /user:ana /pass:{pw}
cmdkey /generic:srv /user:ana /pass:"{pw}"
winrs -r:srv -u:ana -p:{pw} hostname
psexec \\srv -u CORP\ana -p {pw} cmd
impacket-psexec CORP/ana:{pw}@10.0.0.8
impacket-secretsdump 'CORP/ana:{pw}@10.0.0.8'
secretsdump.py ana:{pw}@10.0.0.8
wmiexec.py corp.local/ana:'{pw}'@10.0.0.8
evil-winrm -i 10.0.0.8 -u ana -p {pw}
crackmapexec smb 10.0.0.0/24 -u ana -p {pw}
nxc smb 10.0.0.8 -u ana -p '{pw}'
xfreerdp /v:srv /u:ana /p:{pw}
ldapsearch -x -D cn=admin,dc=ex -w {pw} -b dc=ex
ldapmodify -D cn=admin -w '{pw}' -f a.ldif
ldappasswd -s {pw} uid=ana,dc=ex
echo {pw} | kinit ana@EXAMPLE.COM
kinit ana@EXAMPLE.COM <<< '{pw}'
htpasswd -b .htpasswd ana {pw}
htpasswd -bnBC 10 ana {pw}
echo 'ana:{pw}' | chpasswd
chpasswd <<< "ana:{pw}"
echo -e '{pw}\n{pw}' | passwd ana
mosquitto_sub -h mq -u ana -P {pw} -t '#'
mosquitto_passwd -b pwfile ana {pw}
nats sub --user ana --password {pw} 'x.>'
nats -s nats://ana:{strong}@mq:4222 sub x
nats --creds=/dev/null --token {t24} pub x y
sentry-cli login --auth-token {hex64}
sentry-cli --auth-token {hex64} releases list
vercel --token {t24} deploy
vercel deploy -t {t24}
vercel env add DB_PASS production <<< {pw}
netlify deploy --auth {t40}
netlify env:set DB_PASS {pw}
fly auth token {t40}
flyctl secrets set DB_PASS={pw}
fly secrets set SESSION={hex32} -a shop
railway login --token {uuid}
railway variables set DB_PASS={pw}
doppler configure set token {t40}
doppler secrets set DB_PASS {pw}
doppler setup --token {t40}
pulumi login --token {t40}
pulumi config set --secret dbPass {pw}
terraform apply -var 'db_pass={pw}'
terraform apply -var db_password={pw} -auto-approve
terraform login app.terraform.io <<< {t40}
echo yes | TF_TOKEN_app_terraform_io={t40} terraform plan
wrangler secret put API <<< {t40}
echo "{t40}" | wrangler secret put API_X
databricks configure --host https://d.example.com --token <<< {hex32}
dbt-cloud config token {hex40}
snowsql -a acct -u ana --private-key-passphrase {pw}
bq --oauth_token {t40} ls
doctl auth init -t {hex64}
doctl auth init --access-token {hex64}
linode-cli configure --token {hex64}
hcloud context create shop <<< {t40}
hetzner token add {t48}
huggingface-cli login --token {t32}
wandb login {hex40}
comet login --api-key {t24}
kaggle config set -n key -v {hex32}
replicate auth login --token-stdin <<< {t40}
buildkite-agent start --token {t40}
circleci setup --token {hex40} --host https://circleci.com
travis login --github-token {hex40}
gitlab-runner register -n -r {t20} -u https://git.example.com
gitlab-runner register --registration-token {t20}
drone -t {t32} info
argocd login cd.example.com --username admin --password {pw}
argocd account update-password --current-password x --new-password {pw}
rancher login https://r.example.com --token {t48}
jfrog config add shop --user ana --password {pw}
jf c add shop --access-token {t48} --interactive=false
mvn deploy -Drepo.pass={pw}
gradle publish -PrepoPassword={pw}
dotnet nuget add source https://n.example.com -u ana -p {pw}
nuget push a.nupkg {t40} -Source https://n.example.com
nuget setapikey {uuid} -Source https://n.example.com
gem push a.gem --key {t32}
composer config http-basic.repo.example.com ana {pw}
composer config --global github-oauth.github.com {hex40}
pip install --index-url https://ana:{strong}@pip.example.com/simple x
git clone https://ana:{strong}@git.example.com/a/b.git
git remote set-url origin https://oauth2:{t20}@gitlab.example.com/a/b.git
git -c http.extraheader="AUTHORIZATION: basic {b64}" fetch
svn co --username ana --password {pw} https://svn.example.com/a
hg clone https://ana:{pw}@hg.example.com/a
p4 login <<< {pw}
echo {pw} | p4 login
echo {pw} | sudo -S apt update
sudo -S apt update <<< '{pw}'
su - root -c id <<< {pw}
useradd -m -p {pw} ana
usermod -p '{pw}' ana
cryptsetup luksOpen /dev/sdb1 d <<< {pw}
echo -n {pw} | cryptsetup luksAddKey /dev/sdb1 -
nmcli dev wifi connect Home password {pw}
nmcli con add type wifi ssid Home wifi-sec.psk {pw}
wpa_passphrase Home {pw}
iwctl --passphrase {pw} station wlan0 connect Home
netsh wlan set profileparameter name=Home keyMaterial={pw}
ipmitool -H bmc -U admin -P {pw} chassis status
racadm -r bmc -u root -p {pw} getsysinfo
snmpwalk -v3 -u ana -A {pw} sw1
snmpwalk -v2c -c {strong} sw1
sqlcmd -S srv -U sa -P {pw} -Q 'select 1'
sqlplus ana/{pw}@db:1521/XE
sqlplus -s 'ana/{pw}@//db/XE' @a.sql
bcp t out f -S srv -U sa -P {pw}
isql DSN ana {pw}
cqlsh db -u ana -p {pw}
influx -username ana -password {pw}
clickhouse-client --user ana --password {pw}
cypher-shell -u neo4j -p {pw} 'return 1'
rabbitmqctl add_user ana {pw}
rabbitmqctl change_password ana {pw}
rabbitmqadmin -u ana -p {pw} list queues
kafka-configs.sh --alter --add-config 'SCRAM-SHA-256=[password={pw}]' --entity-name ana
kcat -b k:9092 -X sasl.username=ana -X sasl.password={pw} -L
swaks --to a@example.com -au ana -ap {pw}
s-nail -S smtp-auth-password={pw} a@example.com
openvpn --config a.ovpn --auth-user-pass <(printf 'ana\n{pw}\n')
echo {pw} | openconnect -u ana --passwd-on-stdin vpn.example.com
nordvpn login --token {hex64}
tailscale up --authkey={t48}
tailscale up --auth-key {t48}
zerotier-cli set-token {t24}
mc alias set s3 https://s3.example.com AKEXAMPLEUSER {t40}
s3cmd --access_key=AKX --secret_key={t40} ls
aws configure set aws_secret_access_key {aws}
export AWS_SECRET_ACCESS_KEY=\<nl>{aws}
mysql -u root --password \<nl>  {pw} shop
tool login --token \<nl>    {t40}
sshpass -p \<nl>  {pw} ssh ana@10.0.0.4
curl -u \<nl>  ana:{pw} https://api.example.com
curl -H \<nl>  'Authorization: Bearer {t40}' https://api.example.com
curl https://api.example.com \<nl>  -H 'Authorization: Bearer \<nl>{t40}'
docker login \<nl>  -u ana \<nl>  -p \<nl>  {pw} registry.example.com
helm upgrade shop ./chart \<nl>  --set auth.password=\<nl>{pw}
redis-cli -h cache -a \<nl>  {pw} ping
vault login \<nl>  {t24}
Connect-Thing -Password `<nl>  {pw}
$env:DB_PASSWORD = `<nl>  '{pw}'
Invoke-Cmd -ApiKey `<nl>    {t32} -Verbose
az login -u ana -p `<nl>  {pw}
set DB_PASSWORD=^<nl>{pw}
curl -u ^<nl>  ana:{pw} https://api.example.com
net use Z: \\nas\share ^<nl>  {pw} /user:ana
export GITHUB_TOKEN=gh\<nl>p_{t40}
rem pw {pw}
# db pass is {pw}
: ${DB_PASSWORD:={pw}}
read -r PW <<< '{pw}'
IFS= read -rs DBPW <<<{pw}
expect -c 'spawn su; expect "Password:"; send "{pw}\r"; interact'
cmd.exe /c "set PGPASSWORD={pw}&& psql -h db"
python -c 'import getpass; login("ana", "{pw}")'
$cred = New-Object PSCredential('ana', (ConvertTo-SecureString '{pw}' -AsPlainText -Force))
Set-ADAccountPassword ana -NewPassword (ConvertTo-SecureString -AsPlainText "{pw}" -Force)
dsmod user CN=ana -pwd {pw}
curl 'https://api.example.com/v1?appid=7&sig={hex40}'
curl -F 'secret={t32}' https://example.com/verify
http POST api.example.com/login user=ana pass={pw}
http -a ana:{pw} GET https://api.example.com
xh -a ana:{pw} https://api.example.com
newman run a.json --env-var "apiKey={t32}"
k6 run -e API_TOKEN={t32} a.js
""".strip().split("\n")
)
