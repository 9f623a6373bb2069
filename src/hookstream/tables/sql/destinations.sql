-- One row a call, host and way (url, command, ssh, socket): where data could go. `said` is the text
-- that names the host. What only looks like a host is left out: files, buckets, git remotes.
with
-- Each text is taken apart once, however often it ran.
texts as materialized (
    select command, regexp_replace(command, '\b[a-z][a-z0-9+.-]*://\S+', ' ', 'g') as bare
    from (select distinct command from whole.calls where command is not null)
    where regexp_matches(
        command,
        '://|\b(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|telnet|ftp|git|socat)\s|/dev/(?:tcp|udp)/'
    )
),
named as (
    select command as said, 'command' as via, unnest(flatten([
        regexp_extract_all(command, '\b[a-z][a-z0-9+.-]*://[^\s''"<>|;&()`]+'),
        -- without a scheme: the first word that is neither an option nor the value of one
        regexp_extract_all(
            command,
            '\b(?:curl|wget)\s+(?:(?:-[a-zA-Z]*[oHdXAeuTFbcm]|--(?:output|header|data|request|user|user-agent|max-time|retry))\s+(?:''[^'']*''|"[^"]*"|\S+)\s+|-[\w-]+(?:=\S+)?\s+)*([A-Za-z0-9][\w-]*(?:\.[\w-]+)+)(?:[:/\s]|$)',
            1
        )
    ])) as address
    from texts
    union all
    select command, 'ssh', unnest(flatten([
        regexp_extract_all(
            bare,
            '\b(?:ssh|sftp)\s+(?:-[a-zA-Z0-9]+(?:\s+\S*[^\s\w.@-]\S*|\s+\d+)?\s+)*(?:[\w.-]+@)?([A-Za-z0-9][\w.-]*)',
            1
        ),
        regexp_extract_all(bare, '[\w.-]+@([A-Za-z0-9][\w.-]*[A-Za-z0-9]):', 1),
        case when regexp_matches(bare, '\b(?:scp|rsync)\s')
            then regexp_extract_all(bare, '\s([A-Za-z0-9][\w-]*(?:\.[\w-]+)+):', 1)
        end
    ]))
    from texts
    union all
    select command, 'socket', unnest(flatten([
        regexp_extract_all(
            bare,
            '\b(?:nc|ncat|netcat|telnet|ftp)\s+(?:-[a-zA-Z0-9]+\s+(?:\d+\s+)?)*([A-Za-z0-9][\w.-]*)\s+\d+', 1
        ),
        regexp_extract_all(bare, '/dev/(?:tcp|udp)/([^/\s]+)/', 1),
        regexp_extract_all(bare, '\b(?:TCP4?|UDP4?|OPENSSL)(?:-CONNECT)?:([\w.-]+):\d+', 1)
    ]))
    from texts
    union all
    select distinct url, 'url', url from whole.calls where url is not null
),
hosts as (
    select distinct
        said, via,
        lower(coalesce(
            nullif(regexp_extract(
                address, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)', 1
            ), ''),
            address
        )) as host
    from named
    -- A scheme that is no network's (fixture://r1, s3://bucket) names no host.
    where not regexp_matches(address, '^[A-Za-z][A-Za-z0-9+.-]*://')
            and not regexp_matches(
                lower(address),
                '\.(?:sql|csv|tsv|json|jsonl|txt|md|log|gz|tgz|zip|tar|bz2|xz|zst|yml|yaml|toml|xml|html?|pdf|png|jpe?g|db|sqlite|bak|out|conf|cfg|ini|lock|env|pem|key|crt|bin|exe|deb|rpm|whl|jar|sh|py|js|ts|c|h|go|rs)$'
            )
        or regexp_matches(
            address,
            '(?i)^(?:https?|wss?|ftps?|sftp|ssh|git|git\+ssh|rsync|tcp|udp|tls|ldaps?|smtps?|imaps?|rediss?|postgres|postgresql|mysql|mongodb|mongodb\+srv|amqps?|mqtts?|rtmp|telnet|gopher|dict|nfs|smb)://'
        )
),
named_calls as (
    select c.*, h.host, h.via, h.said
    from whole.calls as c
    join hosts as h on c.command = h.said
    where h.via <> 'url' and h.host <> ''
    union all
    select c.*, h.host, h.via, h.said
    from whole.calls as c
    join hosts as h on c.url = h.said
    where h.via = 'url' and h.host <> ''
)
select
    machine_id, user_id, tool, session_id, call_id, host, via, said,
    regexp_matches(
        host,
        '^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1\]?$|\[?f[cde])|\.(?:local|internal|localhost)$'
    ) as internal,
    outcome, ran, risk_score, first_at, last_at, machine, call, instance
from named_calls
