"""words/nearby.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
OTHERS = frozenset('hash hashed sha sha1 sha256 sha512 md md5 digest integrity checksum sum commit rev revision id ids uuid guid version etag nonce image tag ref refs file files path paths url uri http https fingerprint public pub cert certificate branch trace span session request user thumbprint signature resolved sri import from require include module package test tests type name names class def function func return returns count length size expires issuer kid index build object blob tree parent cache pubkey address account arn region tx txid txn txhash transaction contract deployed mint minted wallet block accessor'.split())
LINKS = frozenset('value val default is was to of the string str text bytes byte char const var let some just new secret key base token be should must now set as b r f u x e n t from ops this my our by for with std vec box into mut ref data string_value literal raw new_value current out want got expected code old previous former leaked'.split())
