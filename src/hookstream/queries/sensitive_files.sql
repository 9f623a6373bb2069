-- Who touched credentials: paths of keys, tokens and secrets that actions named.
-- One row a client, path and action; `ran` says how often it went through.
with
touching as (
    from derived.calls
    where regexp_matches(
        concat_ws(' ', file_path, command),
        '(?i)\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.aws/|\.azure/|gcloud|\.kube/config|\.gnupg|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker/config\.json|/etc/(?:shadow|sudoers)|\.env\b|\.pem\b|\.p12\b|\.keystore\b|\.kdbx\b|credentials|\bsecrets?\.(?:ya?ml|json|toml|env)|\.vault-token|/proc/\w+/environ'
    )
),
named as (
    select
        c.*,
        unnest(list_distinct(regexp_extract_all(
            concat_ws(' ', c.file_path, c.command),
            '(?i)(?:[~.\w/\\:$%{}*-]*[/\\])?(?:\.ssh(?:[/\\][\w.*-]+)?|id_(?:rsa|ed25519|ecdsa|dsa)\b[\w.]*|\.aws/[\w.*-]+|\.azure/[\w.*-]+|\.config/gcloud[\w./*-]*|\.kube/config|\.gnupg[\w./*-]*|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.docker/config\.json|shadow|sudoers|\.env(?:\.\w+)?\b|[\w.*-]+\.(?:pem|p12|keystore|kdbx)\b|[\w.-]*credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|env)|\.vault-token|environ)(?:$|[\s''"|;&)])'
        ))) as found
    from touching as c
)
select
    tool, rtrim(found, ' ''"|;&)') as path, action_name,
    count(distinct (session_id, call, instance)) filter (within(first_at)) as calls,
    count(distinct (session_id, call, instance)) filter (ran and within(first_at)) as ran,
    count(distinct (session_id, call, instance)) filter (outcome = 'denied' and within(first_at))
        as denied,
    count(distinct session_id) filter (within(first_at)) as sessions,
    min(first_at) as first_seen, max(last_at) as last_seen, max(risk_score) as max_risk,
    arg_min(command, first_at) as example, machine_id, user_id,
    min(min(first_at)) over (partition by rtrim(found, ' ''"|;&)')) >= cast(getvariable('f_since') as timestamp) as is_new
from named
where regexp_matches(found, '[./\\_]')
group by machine_id, user_id, tool, rtrim(found, ' ''"|;&)'), action_name
qualify count(*) filter (within(first_at)) > 0
order by first_seen desc, tool, path, action_name, machine_id, user_id
