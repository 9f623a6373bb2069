"""Commands that take secrets as options of one letter or two, as their manual pages have them."""

from __future__ import annotations

# Per command the options whose value is a secret. A name ends in * where more commands begin so.
_TABLE = (
    ("snmp*", "-A -X -c"),
    ("ldappasswd", "-w -s -a"),
    ("ldap* dsconf dsidm ldclt vsql ipa-client-install", "-w"),
    ("sqlcmd", "-P -Z"),
    ("osql isql tsql fisql sqsh bcp freebcp bsqldb defncopy p4 ipmitool", "-P"),
    ("mosquitto_pub mosquitto_sub mosquitto_rr zip unzip zipcloak", "-P"),
    ("openssl", "-K -k -hmac -psk -srppass"),
    ("signtool signtool.exe osslsigncode", "/p /p: -pass"),
    ("ssh-keygen", "-N -P"),
    ("kadmin kadmin.local", "-w -pw"),
    ("pk12util", "-W -K"),
    ("certutil ktutil racadm", "-p"),
    ("crackmapexec netexec nxc evil-winrm hydra medusa smbmap rdesktop", "-p"),
    ("cypher-shell cqlsh couchbase-cli cbimport cbq hdbsql beeline", "-p"),
    ("ncftp ncftpget ncftpput ncftpls aescrypt steghide mutool", "-p"),
    ("ibmcloud cf oc twine oras regctl nerdctl crane", "-p"),
    ("mongo mongosh mongodump mongorestore mongoimport mongoexport mongostat", "-p"),
    ("ipa-server-install ipa-replica-install", "-p -a -w"),
    ("ccrypt ccencrypt ccdecrypt", "-K"),
    ("mcrypt outguess", "-k"),
    ("nodetool plink pscp psftp", "-pw"),
    ("pdftotext pdftoppm pdfimages pdfinfo pdftohtml pdftocairo", "-upw -opw"),
    ("swaks", "-ap"),
    ("sendemail sendEmail", "-xp"),
    ("redis-cli redis-benchmark valkey-cli keydb-cli", "-a --pass"),
    ("keytool jarsigner", "-storepass -keypass -new -srcstorepass -deststorepass -destkeypass"),
    ("esxcli", "-p"),
    ("paexec winrs wmiexec psexec", "-p /p: -p:"),
    ("xfreerdp wlfreerdp", "/p:"),
)
COMMANDS = tuple(dict.fromkeys(name for words, _ in _TABLE for name in words.split()))
OPTIONS_OF = {name: options for words, options in _TABLE for name in words.split()}
