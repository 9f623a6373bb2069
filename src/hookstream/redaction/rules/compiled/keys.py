"""keys.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('private-key', '-----BEGIN[ A-Z0-9_-]{0,64}PRIVATE KEY(?: BLOCK)?-----', ('private key',), 0, '', 'pem'),
    ('private-key-body', '\\b(?:MII[BCEJ][A-Za-z0-9+/]{3}IBAAK[BC][A-Za-z0-9+/]{40}|MII[BCEJ][A-Za-z0-9+/]{1,2}(?:IBADANBgkqhkiG9w0BAQEFAASC|QIBADANBgkqhkiG9w0BAQEFAASC)[A-Za-z0-9+/]{24})', ('mii',), 0, '', 'body'),
    ('openssh-key-body', '\\bb3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/]{24}', ('b3blbnnzac1rzxktdjea',), 0, '', 'body'),
    ('putty-key', 'PuTTY-User-Key-File-[23]:', ('putty-user-key-file',), 0, '', 'putty'),
    ('age-secret-key', '\\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\\b', ('age-secret-key-1',)),
    ('jwt', '\\bey[A-Za-z0-9_-]{10,2048}\\.ey[A-Za-z0-9_-]{8,16384}\\.[A-Za-z0-9_-]{0,2048}', ('.ey',), 0, 'jwt'),
    ('jwe', '\\bey[A-Za-z0-9_-]{10,2048}\\.[A-Za-z0-9_-]{0,1024}\\.[A-Za-z0-9_-]{12,64}\\.[A-Za-z0-9_-]{8,16384}\\.[A-Za-z0-9_-]{16,64}', ('eyj',), 0, 'jwt'),
    ('jwk-private', '\\\\{0,3}"(?:d|dp|dq|qi|k)\\\\{0,3}"[ \\t]{0,4}:[ \\t]{0,4}\\\\{0,3}"([A-Za-z0-9_-]{40,1024})\\\\{0,3}"', ('"d', '"k', '"q', 'd\\', 'k\\', 'p\\', 'q\\', 'i\\'), 1, 'mixed'),
    ('password-hash', '(?:\\$2[abxy]\\$[0-9]{2}\\$[./A-Za-z0-9]{53}|\\$(?:1|5|6|7|y|gy|apr1|argon2(?:id|i|d)|scrypt|pbkdf2-sha(?:256|512)|sha1)\\$[^\\s:"\'$]{1,64}(?:\\$[^\\s:"\'$]{1,64}){0,3}\\$[./A-Za-z0-9+=]{16,128}|\\bpbkdf2_sha256\\$[0-9]{3,8}\\$[A-Za-z0-9]{4,32}\\$[A-Za-z0-9+/=]{40,64})', ('$2', '$1$', '$5$', '$6$', '$7$', '$y$', '$gy$', '$apr1$', '$argon2', '$scrypt', '$pbkdf2', '$sha1$', 'pbkdf2_sha256$')),
    ('ansible-vault', '\\$ANSIBLE_VAULT;[0-9.]{1,5};AES256[^\\n]{0,64}\\n[ \\t]*([0-9a-f\\s]{64,8192})', ('$ansible_vault',), 1),
    ('wireguard-key', '\\b(?:PrivateKey|PresharedKey)[ \\t]{0,4}=[ \\t]{0,4}([A-Za-z0-9+/]{43}=)', ('privatekey', 'presharedkey'), 1),
    ('otpauth-secret', 'otpauth://[^\\s"\']{1,256}[?&]secret=([A-Z2-7]{16,64})', ('otpauth://',), 1),
    ('gcp-private-key-id', '"private_key_id\\\\{0,3}"[ \\t]{0,4}:[ \\t]{0,4}\\\\{0,3}"([a-f0-9]{40})\\\\{0,3}"', ('private_key_id',), 1),
    ('sealed-aes-key', '(?i)\\b(?:aes|des|hmac|encryption|cipher|xor)[_-]?(?:256|128|192)?[_-]?(?:key|iv)[a-z0-9_]{0,8}\\\\{0,3}["\']?[ \\t]{0,4}(?::=|=|:)[ \\t]{0,4}(?:b|bytes\\.fromhex\\(|Buffer\\.from\\()?\\\\{0,3}["\']([A-Za-z0-9+/=]{16,128})', ('aes', 'des_', 'des-', 'des1', 'des2', 'deskey', 'desiv', 'hmac', 'encryption', 'cipher', 'xor'), 1, 'mixed', '', 'low'),
)
