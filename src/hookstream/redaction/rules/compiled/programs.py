"""programs.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('registry-value', '(?i)/v[ \\t]{1,4}["\']?([A-Za-z0-9_.-]{1,80})["\']?[ \\t]{1,4}/t[ \\t]{1,4}REG_[A-Z_]{2,16}[ \\t]{1,4}/d[ \\t]{1,4}', ('reg_',), 0, '', 'named_flag', 'low'),
    ('user-password-list', 'chpasswd:[^\\x1f]{0,160}?\\n[ \\t]{1,16}(?:- )?["\']?[a-z_][a-z0-9_-]{0,31}:([^\\s"\']{3,128})', ('chpasswd:',), 1, 'word', '', 'low'),
    ('mount-password', '\\bcifs\\b[^\\n]{0,200}?[,= \\t]pass(?:word)?=([^\\s,"\']{2,128})', ('cifs',), 1, 'word', '', 'low'),
    ('bundler-credentials', '\\bBUNDLE_[A-Z0-9_]{1,80}[:=][ ]?["\']?[^\\s:"\']{1,64}:([^\\s"\'/][^\\s"\']{2,255})', ('bundle_',), 1, 'word', '', 'low'),
    ('inner-element', '(?i)(?:password|passphrase|secret|token|apikey)>[ \\t\\r\\n]{0,32}<(?:value|plaintext|string|text)(>)', ('password>', 'passphrase>', 'secret>', 'token>', 'apikey>'), 0, '', 'xml_element', 'low'),
    ('pgbouncer-user', '"(md5[0-9a-f]{32})"', ('"md5',), 1, 'mixed'),
    ('wifi-code', '\\bWIFI:[^\\n"\']{0,120}?P:([^;\\n"\']{4,63});', ('wifi:',), 1, 'word'),
    ('piped-passwd', '\\b(?:echo|printf)[ \\t]{1,4}(?:-[neE]{1,3}[ \\t]{1,4})?["\']([^"\'|\\n]{4,256}?)(?:\\\\n)?["\'][ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo )?(?:smb)?passwd\\b', ('passwd',), 1, 'word', '', 'low'),
    ('sent-below-prompt', '(?i)(?:assword|assphrase)[^\\n]{0,40}\\n[^\\n]{0,40}\\bsend(?:line)?[ ("\'-]{1,4}([^\\s"\'\\\\]{4,256})(?:\\\\[rn]|["\'])', ('assword', 'assphrase'), 1, 'word', '', 'low'),
    ('snmp-password', '\\bsnmp[a-z]{2,12}\\b[^\\n|;&]{0,200}?[ \\t]-[AX][ \\t]{0,4}', ('snmp',), 0, '', 'argument', 'low'),
    ('curl-key-user', '\\bcurl\\b[^\\n]{0,400}?[ \\t](?:-[a-zA-Z]{0,6}u|--user)[ =]{0,2}["\']?([^\\s:"\'$/\\[`]{4,256}):(?:["\'\\s]|$)', ('curl',), 1, 'generated', '', 'low'),
    ('totp-command', '\\boathtool\\b[^\\n]{0,80}?[ \\t]["\']?([A-Za-z2-7]{16,64})\\b', ('oathtool',), 1, 'word'),
    ('wireguard-command', '\\b(?:wg (?:genkey|genpsk)[^\\n]{0,40}\\n|(?:preshared-key|private-key)[ \\t]{1,4}<\\(echo[ \\t]{1,4}["\']?|wg set [^\\n]{0,200}?<<<[ ]{0,2}["\']?)([A-Za-z0-9+/]{43}=)', ('wg genkey', 'wg genpsk', 'preshared-key', 'private-key', 'wg set'), 1),
    ('kubeadm-token', '\\bkubeadm\\b[^\\n]{0,200}?--token[ =]([a-z0-9]{6}\\.[a-z0-9]{16})\\b', ('kubeadm',), 1),
    ('aws-configure', 'Secret Access Key \\[[^\\]\\n]{0,24}\\]:[ ]{1,2}([A-Za-z0-9/+=]{40})', ('secret access key [',), 1, 'mixed'),
    ('smtp-auth', '\\bAUTH (?:PLAIN|LOGIN)[ \\t]([A-Za-z0-9+/]{8,512}={0,2})', ('auth plain', 'auth login'), 1, 'mixed', '', 'low'),
)
