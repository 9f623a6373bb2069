"""Addresses of networks in DuckDB's SQL: numbers, whatever the spelling; a name is not one.

Both versions are 32 hexadecimal digits, version 4 as version 6 maps it.
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

MAPPED = 0xFFFF << 32
PART = r"(?:0x[0-9a-f]+|\d+)"
# Below, a number alone is a number.
FIRST_NUMBER = 1 << 24
NUMBER = (
    "case when regexp_full_match(w, '0[0-7]{1,11}') "
    "then list_reduce([ord(d) - 48 for d in string_split(w, '')], lambda x, y: x * 8 + y) "
    "when regexp_full_match(w, '0[0-9]+') then null else try_cast(w as bigint) end"
)


def in_network(text: str, network: IPv4Network | IPv6Network) -> str:
    """The SQL of whether a text is an address of the network."""
    first, last = int(network.network_address), int(network.broadcast_address)
    if network.version == 4:
        first, last = first | MAPPED, last | MAPPED
    return f"{digits(text)} between '{first:032x}' and '{last:032x}'"


def digits(text: str) -> str:
    """The SQL of an address's digits; null for any other text."""
    bare = f"regexp_replace(lower({text}), '^\\[|%[^\\]]*|\\](?::[0-9]+)?$', '', 'g')"
    either = f"case when a like '%:%:%' or contains(a, '::') then {_six()} else {_four()} end"
    return f"[{either} for a in [{bare}]][1]"


def _four() -> str:
    """Of `a`: one to four parts, each decimal, octal or hexadecimal, and a port."""
    is_one = f"regexp_full_match(a, '{PART}(\\.{PART}){{0,3}}(:[0-9]{{1,5}})?')"
    parts = f"[{NUMBER} for w in string_split(regexp_replace(a, ':[0-9]+$', ''), '.')]"
    # The last part fills what the others leave: 127.1 is 127.0.0.1.
    room = "cast(pow(256, 5 - len(n)) as bigint)"
    head = "".join(
        f" + coalesce(case when len(n) > {at} then n[{at}] end, 0) * {256 ** (4 - at)}"
        for at in (1, 2, 3)
    )
    is_whole = (
        f"len([x for x in n if x is null]) = 0 and len([x for x in n[:-2] if x > 255]) = 0 "
        f"and n[-1] < {room} and (len(n) > 1 or n[1] >= {FIRST_NUMBER})"
    )
    digits = f"lpad(lower(to_hex(n[-1]{head})), 8, '0')"
    mapped = f"concat('{'0' * 20}ffff', {digits})"
    value = f"[case when {is_whole} then {mapped} end for n in [{parts}]][1]"
    return f"case when {is_one} then {value} end"


def _six() -> str:
    """Of `a`: groups, `::` for as many zeros as are missing, the last four bytes as version 4."""
    bytes_of = "[try_cast(x as integer) for x in string_split(regexp_extract(a, '[0-9.]+$'), '.')]"
    pair = "format('{:02x}{:02x}:{:02x}{:02x}', q[1], q[2], q[3], q[4])"
    four = f"[{pair} for q in [{bytes_of}] if len(q) = 4 and list_max(q) < 256][1]"
    head = "regexp_replace(a, '[0-9.]+$', '')"
    plain = f"case when contains(a, '.') then concat({head}, {four}) else a end"
    groups = "array_to_string([lpad(g, 4, '0') for g in string_split({}, ':') if g <> ''], '')"
    left, right = groups.format("split_part(b, '::', 1)"), groups.format("split_part(b, '::', 2)")
    zeros = f"repeat('0', cast(greatest(32 - length({left}) - length({right}), 0) as bigint))"
    whole = f"case when contains(b, '::') then concat({left}, {zeros}, {right}) else {left} end"
    return (
        "case when not regexp_matches(a, '[^0-9a-f:.]|[0-9a-f]{5}|::.*::') then "
        f"[case when regexp_full_match(h, '[0-9a-f]{{32}}') then h end "
        f"for h in [[{whole} for b in [{plain}]][1]]][1] end"
    )
