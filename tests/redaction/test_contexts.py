"""Secrets without a format, in the syntaxes people use: none of this is in the rules' examples.

`«»` marks what has to go; the words around it have to stay.
"""

from __future__ import annotations

import random
import string

import pytest
from privacy_cases import KEY, scanner_of

from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner

RNG = random.Random(7)
ALNUM = string.ascii_letters + string.digits
VALUES = (
    "".join(RNG.choices(ALNUM, k=24)),
    "".join(RNG.choices("0123456789abcdef", k=32)),
    "Tr0ub4dor&3",
    "s3cretValue",
    "zq_" + "".join(RNG.choices(ALNUM, k=30)),
)
TEMPLATES = r"""
MYSQL_ROOT_PASSWORD: %
spring.datasource.password=%
quarkus.datasource.password = %
<property name="javax.persistence.jdbc.password" value="%"/>
<password>%</password>
<Password type="plain">%</Password>
<password><![CDATA[%]]></password>
'password' => '%',
{"auth": {"username": "bob", "password": "%"}}
{\"password\":\"%\"}
{\\\"password\\\": \\\"%\\\"}
&quot;password&quot;:&quot;%&quot;
const API_SECRET = `%`;
private static final String API_KEY = "%";
static const char *api_key = "%";
val apiToken: String = "%"
let password: &str = "%";
password string = "%"
apiKey := "%"
Dim password As String = "%"
[string]$Password = "%"
#define API_KEY "%"
password <- "%"
ENV['API_TOKEN'] = '%'
os.Setenv("API_TOKEN", "%")
setenv API_TOKEN %
set API_TOKEN=%
setx API_TOKEN "%"
set -x API_TOKEN %
$Env:API_TOKEN='%'
env API_TOKEN=% node x.js
--api-key=%
--api-key '%'
-Dapi.token=%
/p:Password=%
--set auth.password=%
-e POSTGRES_PASSWORD=%
--build-arg GITHUB_TOKEN=%
-H 'X-API-Key: %'
-H "Authorization: token %"
-H 'PRIVATE-TOKEN: %'
--header="X-Vault-Token: %"
headers={'Authorization': 'Bearer %'}
req.Header.Add("X-Api-Key", "%")
https://api.test/v1?api_key=%
wss://h/socket?token=%
https://x.test/#access_token=%&type=b
//registry.example.org/:_authToken=%
machine h login u password %
Server=x;Uid=sa;Pwd=%;
jdbc:mysql://h/db?user=u&password=%
host=h port=5432 dbname=d user=u password=% sslmode=require
Endpoint=sb://x/;SharedAccessKeyName=R;SharedAccessKey=%
ALTER USER bob WITH PASSWORD '%';
ALTER USER bob IDENTIFIED BY "%"
db.createUser({user:'a', pwd:'%', roles:[]})
mysql -uroot -p% db
mysqldump --password=% db
PGPASSWORD='%' psql
redis-cli -a %
sshpass -p '%' ssh h
curl -u 'bob:%' h
http -a bob:% h
docker login -u bob -p % r.io
echo '%' | docker login -u b --password-stdin r.io
echo % | sudo -S ls
unzip -P % a.zip
gpg --batch --passphrase '%' -d a
ldapsearch -D cn=a -w %
sqlcmd -S h -U sa -P %
htpasswd -b f bob %
vault kv put secret/x password=%
gh secret set X --body %
kubectl create secret generic s --from-literal=k=%
export TF_VAR_db_password=%
terraform apply -var 'db_password=%'
The password is %.
password for bob is %
Password reset to %
pw: %
credentials: bob / %
login: bob password: %
Here's the secret key: `%`
| password | % |
{:password "%"}
variable "db_password" { default = "%" }
"passwords": ["%"]
DEBUG config: {'secret_key': '%', 'debug': True}
INFO: Settings(db_password='%')
+ export AWS_SECRET_ACCESS_KEY=%
++ PASSWORD=%
-  password: %
config.py:3:PASSWORD = '%'
  42→API_KEY=%
smtp.sendmail(password='%')
jwt.sign(payload, '%')
app.config['SECRET_KEY'] = '%'
define('DB_PASSWORD', '%');
http.basicAuth('u', '%')
smbclient //h/s -U bob%%
""".strip().split("\n")


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("value", VALUES)
def test_the_value_goes_and_the_words_stay(template: str, value: str) -> None:
    before, _, after = (
        template.rpartition("%") if template.endswith("%%") else template.partition("%")
    )
    text = f"{before}{value}{after}"
    spans = scanner_of("python").scan(text)
    out = text
    for start, end, name in reversed(spans):
        out = f"{out[:start]}[REDACTED:{name}]{out[end:]}"
    assert value not in out
    for word in (before + " " + after).replace("%", " ").split():
        core = word.strip("\"'`,;:(){}[]<>&=|\\")
        assert len(core) < 2 or core in out, out


MULTILINE = [
    "stringData:\n  password: «hunter2»\nkind: Secret",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  a: «aHVudGVy»\n  b: «c3dvcmRm»\n",
    "password: |\n  «correct horse»\nuser: x",
    "- name: TOKEN\n  value: «quite-plain»\n",
    'variable "db_password" {\n  type = string\n  default = "«hunter2»"\n}',
    "[pypi]\nusername = __token__\npassword = «hunter2»\n",
    "machine h\n  login u\n  password «hunter2»\n",
    "@@ -1 +1 @@\n-token=old\n+token=«hunter2xyz»",
    "seed phrase: «legal winner thank year wave sausage worth useful legal winner thank yellow»",
]


@pytest.mark.long
@pytest.mark.parametrize("template", MULTILINE)
def test_values_over_several_lines(template: str, scanner: Scanner) -> None:
    text = template.replace("«", "").replace("»", "")
    out = Redactor("full", KEY, scanner=scanner).redact_text(text)
    for part in template.split("«")[1:]:
        assert part.split("»")[0] not in out
    assert len(out.split("\n")) == len(text.split("\n"))
