-- Who touched credentials: paths of keys, tokens and secrets that actions named.
-- by: machine
-- keys: path action_name
-- shows: path action_name tool machines users calls ran denied first_seen last_seen max_risk example
-- One row per path and action; `ran` says how often it went through.
with
touching as (
    -- Windows' separators are read as the others.
    select *, replace(concat_ws(' ', file_path, command), '\', '/') as texts
    from derived.calls
    where regexp_matches(
        texts,
        '(?i)\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws/|\.azure/|gcloud|\.kube/config|\.gnupg|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker/config\.json|/etc/(?:shadow|sudoers)|\.env\b|\.pem\b|\.p12\b|\.keystore\b|\.kdbx\b|credentials|\bsecrets?\.(?:ya?ml|json|toml|env)|\.vault-token|/proc/\w+/environ'
    )
),
named as (
    select
        c.*,
        unnest(list_distinct(regexp_extract_all(
            texts,
            '(?i)(?:[~.\w/\\:$%{}*-]*[/\\])?(?:\.ssh(?:[/\\][\w.*-]+)?|id_(?:rsa|ed25519|ecdsa|dsa)\b[\w.]*|\.aws/[\w.*-]+|\.azure/[\w.*-]+|\.config/gcloud[\w./*-]*|\.kube/config|\.gnupg[\w./*-]*|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker/config\.json|shadow|sudoers|\.env(?:\.\w+)?\b|[\w.*-]+\.(?:pem|p12|keystore|kdbx)\b|[\w.-]*credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|env)|\.vault-token|environ)(?:$|[\s''"|;&)])'
        ))) as found
    from touching as c
),
spelled as (
    -- A drive as Windows, Git Bash, WSL and Cygwin spell it is one.
    select *, regexp_replace(
        rtrim(found, ' ''"|;&)'),
        '^(?i:(?://wsl(?:\$|\.localhost)/[^/]+)?//?(?:mnt/|cygdrive/)?([a-z])|([a-z]):)/', '\1\2:/'
    ) as spelled
    from named
)
select *,
    min(first_seen) over (partition by path) >= cast(getvariable('f_since') as timestamp) as is_new
from (
    select
        case when spelled[2] = ':' then upper(spelled[1]) || spelled[2:] else spelled end as path,
        action_name, names_by_machine(tool) as tool,
        count(distinct machine_id) as machines, count(distinct user_id) as users,
        count(distinct (machine, tool, session_id, call, instance)) filter (within(first_at)) as calls,
        count(distinct (machine, tool, session_id, call, instance)) filter (ran and within(first_at)) as ran,
        count(distinct (machine, tool, session_id, call, instance)) filter (outcome = 'denied' and within(first_at))
            as denied,
        count(distinct (machine, tool, session_id)) filter (within(first_at)) as sessions,
        min(first_at) as first_seen, max(last_at) as last_seen, max(risk_score) as max_risk,
        arg_min(command, (first_at, command)) as example,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
    from spelled
    where regexp_matches(found, '[./\\_]')
    group by all
)
qualify sessions > 0
order by first_seen desc, path, action_name, tool, machine_id, user_id
