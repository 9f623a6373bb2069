"""personal.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('email', '(?i)@[a-z0-9](?:[a-z0-9-]{0,62}\\.){1,4}[a-z]{2,24}\\b', ('@',), 0, '', 'email'),
    ('phone', '\\+[1-9][0-9]{0,3}[ .-]?\\(?[0-9]{1,4}\\)?(?:[ .-]?[0-9]{2,4}){2,4}\\b', ('+',), 0, '', 'phone'),
    ('phone-us', '(?:\\([2-9][0-9]{2}\\)[ ]?[0-9]{3}[ -][0-9]{4}\\b|\\b[2-9][0-9]{2}-[0-9]{3}-[0-9]{4}\\b)', ('###-####', '### ####'), 0, '', 'phone'),
    ('phone-said', '(?i)\\b(?:tel|telephone|t[^\\s]{1,2}l[^\\s]{1,2}phone|tel[^\\s]{1,2}fono|telefone?|telefoon|phone|mobile?|m[^\\s]{1,2}vil|cell|cellulare|celular|handy|fax|whatsapp|rufnummer)(?:[ _-]?(?:number|nummer|nr\\.?|no\\.?))?\\\\{0,3}["\']?\\.?[ ]?[:=]?[ ]{0,2}(?:is )?\\\\{0,3}["\']?([0-9+(][0-9 ()./-]{6,18}[0-9])\\b', ('tel', 'phone', 'mobil', 'vil', 'cel', 'handy', 'fax', 'whatsapp', 'rufnummer', 'tél'), 0, '', 'phone'),
    ('payment-card', '\\b(?:4[0-9]{3}|5[1-5][0-9]{2}|2(?:2(?:2[1-9]|[3-9][0-9])|[3-6][0-9]{2}|7[01][0-9]|720)|6(?:011|5[0-9]{2}|4[4-9][0-9])|35(?:2[89]|[3-8][0-9]))(?:[ -]?[0-9]{4}){3}(?:[ -][0-9]{3})?\\b', ('####',), 0, '', 'card', 'high', ('2', '3', '4', '5', '6')),
    ('payment-card-amex', '\\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\\b', ('######',), 0, '', 'card', 'high', ('34', '37')),
    ('iban', '\\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\\b', ('##',), 0, '', 'iban'),
    ('private-ip', '\\b(?:10\\.[0-9]{1,3}|192\\.168|172\\.(?:1[6-9]|2[0-9]|3[01]))\\.[0-9]{1,3}\\.[0-9]{1,3}\\b', ('10.', '192.168.', '172.'), 0, '', 'number'),
    ('phone-url', '(?i)(?:[=:/,"]|%3a|%3d|%20)%2b([1-9][0-9]{0,3}(?:(?:%20|[-.])?[0-9]{2,4}){2,5})\\b', ('%2b',), 0, '', 'phone'),
    ('email-spelt', '(?i)\\b[a-z0-9][a-z0-9._+-]{0,63}(?:[ ]?[\\[({<][ ]?at[ ]?[\\])}>][ ]?[a-z0-9-]{1,63}(?:(?:\\.|[ ]?[\\[({<][ ]?dot[ ]?[\\])}>][ ]?|[ ]dot[ ])[a-z0-9-]{2,63}){1,4}|[ ]at[ ][a-z0-9-]{1,63}(?:[ ]dot[ ][a-z0-9-]{2,63}){1,4})\\b', ('at]', 'at)', 'at}', 'at>', 'at ]', 'at )', ' dot '), 0, '', 'spelt_email'),
    ('payment-card-said', '(?i)(?:(?:\\b|_)(?:card|cards|credit|debit|diners|unionpay|union pay|maestro|karte|kreditkarte|carte|tarjeta|carta)(?:[ _-]?(?:s|no|nr|num|number|code|id))?(?:\\b|_))[^\\x1f0-9]{0,40}?\\b((?:3(?:0[0-59]|[689][0-9])[0-9]|62[0-9]{2}|50[0-9]{2}|5[6-8][0-9]{2}|6[0-9]{3})[ -]?[0-9]{4,6}[ -]?[0-9]{4}(?:[ -]?[0-9]{1,4}){0,2})\\b', ('card', 'cards', 'credit', 'debit', 'diners', 'unionpay', 'union pay', 'maestro', 'karte', 'kreditkarte', 'carte', 'tarjeta', 'carta'), 1, 'luhn', '', 'high', ('card', 'cards', 'credit', 'debit', 'diners', 'unionpay', 'union pay', 'maestro', 'karte', 'kreditkarte', 'carte', 'tarjeta', 'carta', '_card', '_cards', '_credit', '_debit', '_diners', '_unionpay', '_union pay', '_maestro', '_karte', '_kreditkarte', '_carte', '_tarjeta', '_carta'), '', '(?i)(?:(?:\\b|_)(?:card|cards|credit|debit|diners|unionpay|union pay|maestro|karte|kreditkarte|carte|tarjeta|carta)(?:\\b|_|[sncid]))'),
    ('iban-said', '(?i)(?:(?:\\b|_)(?:iban|konto|kontonummer|account|bank)(?:[ _-]?(?:s|no|nr|num|number|code|id))?(?:\\b|_))[^\\x1f0-9]{0,40}?\\b([a-z]{2}[0-9]{2}(?:[ .-]?[a-z0-9]{4}){2,7}(?:[ .-]?[a-z0-9]{1,3})?)\\b', ('iban', 'konto', 'kontonummer', 'account', 'bank'), 1, '', 'iban', 'high', ('iban', 'konto', 'kontonummer', 'account', 'bank', '_iban', '_konto', '_kontonummer', '_account', '_bank'), '', '(?i)(?:(?:\\b|_)(?:iban|konto|kontonummer|account|bank)(?:\\b|_|[sncid]))'),
)
