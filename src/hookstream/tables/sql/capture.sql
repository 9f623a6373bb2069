-- The capture of each session: its first and last events, what is missing of the sequence, which
-- witnesses reported it, and by which versions of hookstream. A sub-agent's hooks may have a
-- separate session (told_as) within their parent's.
with
by_version as (
    select
        session, hookstream_version as version,
        count(*) as told, min("timestamp") as first_at, max("timestamp") as last_at
    from base.keyed_events
    where hookstream_version is not null and not ends_with(event_type, '.CaptureFailed')
        and event_type <> 'vendor.hookstream.LineRefused'
    group by all
),
versions as (
    select
        session,
        list({'version': version, 'told': told, 'first_at': first_at, 'last_at': last_at}
            order by version) as versions
    from by_version
    group by all
),
seen as (
    select
        session, max(user_id) as user_id,
        coalesce(bool_or(event_type = 'Session.Start'), false) as has_start,
        coalesce(bool_or(event_type in ('Session.End', 'Session.Abort')), false) as has_end,
        -- A sub-agent's separate session begins and ends with its parent's.
        coalesce(bool_or(parent_session_id is not null), false) as has_parent,
        coalesce(bool_or(event_type = 'Prompt.Submitted'), false) as has_prompt,
        bool_and(witness is not distinct from 'telemetry' and starts_with(event_type, 'vendor.'))
            as is_stray,
        coalesce(bool_or(event_type = 'Action.Before'), false) as has_before,
        coalesce(bool_or(event_type = 'Action.After'), false) as has_after,
        coalesce(
            max(sequence) filter (is_numbered) - count(distinct sequence) filter (is_numbered), 0
        ) as missing,
        list_sort(list(distinct
            case when witness in ('mod', 'transcript', 'telemetry') then witness else 'hook' end
        )) as kinds,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from (
        select *, coalesce(witness, 'hook') not in ('transcript', 'telemetry') as is_numbered
        from base.keyed_events
    )
    where not ends_with(event_type, '.CaptureFailed')
        and event_type <> 'vendor.hookstream.LineRefused'
    group by all
)
select
    nullif(n.machine, '') as machine_id, n.machine, n.tool,
    s.* exclude (session, has_parent, has_prompt),
    m.root is not null
        or ((s.has_parent or p.session_id is not null) and not s.has_prompt) as is_part,
    coalesce(m.root, n.session_id) as session_id, n.session_id as told_as,
    coalesce(v.versions, []) as versions
from seen as s
join base.numbers as n using (session)
left join versions as v using (session)
left join base.moved as m
    on n.machine = m.machine and n.tool = m.tool and n.session_id = m.session_id
left join (
    select distinct machine, tool, session_id from base.kin where is_separate
) as p on n.machine = p.machine and n.tool = p.tool and n.session_id = p.session_id
