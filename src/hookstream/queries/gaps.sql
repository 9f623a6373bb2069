-- Why an empty answer may not be trusted: what was lost, not captured or not understood.
-- by: machine
-- keys: gap tool where
-- shows: gap tool where count machines detail first_seen last_seen
-- One row per gap, client and place; detail and its example are those of the machine with most. silent_machine: no event for a day, while others went on;
-- first_seen is its last event. version_skew: a machine's newest events come from an older hookstream
-- than another machine's. no_session_end counts sessions that were still going on when the
-- stream ends; own_time_ahead counts those with records from the future by their own clock, which
-- retain keeps by receipt; unpaired_before counts calls of which nothing shows how they ended.
with
of_sessions as (select * exclude (session_id), told_as as session_id from spanned.capture
    where not is_stray
),
of_versions as (select machine_id, user_id, unnest(versions) as v from of_sessions),
unended as (
    select machine_id, user_id, tool, session_id, call, first_at, last_at
    from derived.calls
    where has_before and not has_after and not denied
),
of_machines as (
    select
        machine_id, max(user_id) as user_id, arg_max(v.version, v.last_at) as version,
        min(v.first_at) as first_seen, max(v.last_at) as last_seen
    from of_versions
    where machine_id is not null
    group by machine_id
),
newest as (
    select version
    from of_machines
    order by regexp_extract_all(version, '[0-9]{1,9}')::int[] desc, version desc
    limit 1
),
-- Files or telemetry alone know them, or hooks of the user where the machine's had been seen.
unhooked as (
    select s.machine_id, s.user_id, s.tool, s.session_id, s.assurance, s.first_at, s.last_at
    from (from derived.sessions where not is_stray) as s
    join base.hooked as h using (machine, tool)
    where (s.assurance in ('files', 'telemetry') and h.any_at <= s.first_at)
        or (s.assurance <> 'managed_hooks' and h.managed_at <= s.first_at)
),
faults as (from derived.capture_faults where within("timestamp")),
found as (
    select
        'broken_lines' as gap, null as machine_id, null as user_id, null as tool, file || case when line > 0 then ':' || line else '' end
            as "where", 1 as "count", reason as detail,
        null::timestamp as first_seen, null::timestamp as last_seen
    from broken_lines
    union all by name
    select 'rejected_records' as gap, file as "where", count(*) as "count", reason as detail, reason as kind
    from rejected
    group by file, reason
    union all by name
    select
        gap, machine_id, max(user_id) as user_id, tool, what as "where",
        count(*) as "count",
        'events of one call that have their id with another call in common, in session '
            || min(told_as) as detail, told_as as part,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from faults
    where gap = 'shared_ids'
    group by gap, machine_id, tool, told_as, what
    union all by name
    select
        'no_session_end' as gap, machine_id, user_id, tool, count(*) as "count",
        'sessions without an end, the longest silent: ' || arg_min(session_id, (last_seen, session_id)) as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where not has_end and not is_part
    group by machine_id, user_id, tool
    union all by name
    select
        'own_time_ahead' as gap, machine_id, user_id, tool, count(*) as "count",
        'sessions with records from the future: ' || arg_max(session_id, (last_seen, session_id)) as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where last_seen > make_timestamp(epoch_us(now())) + interval 24 hour
    group by machine_id, user_id, tool
    union all by name
    select
        'no_session_start' as gap, machine_id, user_id, tool, count(*) as "count",
        'sessions whose start was not captured: ' || arg_min(session_id, (first_seen, session_id)) as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where not has_start and not is_part
    group by machine_id, user_id, tool
    union all by name
    select
        'cut_by_retention' as gap, s.machine_id, s.user_id, s.tool, count(*) as "count",
        'sessions of which retention removed records, ' || sum(c.records) || ' on one machine, such as '
            || min(s.session_id) as detail,
        min(s.first_seen) as first_seen, max(s.last_seen) as last_seen
    from of_sessions as s
    join cut_sessions as c on s.machine_id is not distinct from c.machine_id
        and s.tool = c.tool and s.session_id = c.session_id
    group by s.machine_id, s.user_id, s.tool
    union all by name
    select
        'no_after_events' as gap, machine_id, user_id, tool, count(*) as "count",
        'sessions with actions of which none has an after event: '
            || arg_min(session_id, (first_seen, session_id)) as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where has_before and not has_after
    group by machine_id, user_id, tool
    union all by name
    select
        'no_before_events' as gap, machine_id, user_id, tool, count(*) as "count",
        'sessions with after events but no before event: ' || arg_min(session_id, (first_seen, session_id))
            as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where has_after and not has_before
    group by machine_id, user_id, tool
    union all by name
    select
        'silent_machine' as gap, machine_id, max(user_id) as user_id, null as tool,
        date_diff('hour', max(last_seen), any_value(n.at)) as "count",
        'hours without an event until the newest of the stream' as detail,
        max(last_seen) as first_seen, any_value(n.at) as last_seen
    from of_sessions cross join (select max(last_seen) as at from of_sessions) as n
    where machine_id is not null
    group by machine_id
    having max(last_seen) < any_value(n.at) - interval 24 hour
    union all by name
    select
        'version_skew' as gap, m.machine_id, m.user_id, null as tool, m.version as "where",
        (
            select cast(sum(e.v.told) as bigint) from of_versions as e
            where e.machine_id = m.machine_id and e.v.version = m.version
        ) as "count",
        'events of this hookstream on a machine, while another runs ' || n.version as detail,
        m.first_seen, m.last_seen
    from of_machines as m cross join newest as n
    where m.version <> n.version
    union all by name
    select
        'missing_machine' as gap, r.machine_id, null as user_id, null as tool, 1 as "count",
        'expected by the roster, and no event of it' as detail, r.name as part
    from roster as r
    where not exists (from of_sessions as e where e.machine_id in (r.name, r.machine_id))
    union all by name
    select
        'unexpected_machine' as gap, machine_id, max(user_id) as user_id, null as tool,
        count(distinct session_id) as "count", 'sessions of a machine that the roster has not'
            as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where machine_id is not null and exists (from roster)
        and machine_id not in (select name from roster union all select machine_id from roster)
    group by machine_id
    union all by name
    select
        'unpaired_before' as gap, machine_id, user_id, tool, count(*) as "count",
        'calls that nothing shows the end of' as detail,
        min(first_at) as first_seen, max(last_at) as last_seen
    from unended
    group by machine_id, user_id, tool
    union all by name
    select
        'missing_events' as gap, machine_id, user_id, tool, sum(missing) as "count",
        'places in the sequence without an event' as detail,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from of_sessions
    where missing > 0
        and getvariable('f_since') is null and getvariable('f_until') is null
    group by machine_id, user_id, tool
    union all by name
    select
        gap, machine_id, user_id, tool, what as "where", count(*) as "count",
        'native events without a place in the standard, kept with unmapped fields' as detail,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from faults
    where gap = 'unknown_events'
    group by gap, machine_id, user_id, tool, what
    union all by name
    select
        gap, machine_id, max(user_id) as user_id, null as tool, count(*) as "count",
        'lines that the centre refused, kept as dead letters where they came from: ' || what as detail, what as kind,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from faults
    where gap = 'refused_lines'
    group by gap, machine_id, what
    union all by name
    select
        gap, machine_id, user_id, tool, count(*) as "count",
        'verdicts that were never given: ' || string_agg(distinct what, ', ' order by what)
            as detail,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from faults
    where gap = 'guard_failures'
    group by gap, machine_id, user_id, tool
    union all by name
    select
        gap, machine_id, max(user_id) as user_id, tool, what as "where", count(*) as "count",
        'payloads that the hook could not normalize: time, length and digest are in the log'
            as detail,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from faults
    where gap = 'capture_failures'
    group by gap, machine_id, tool, what
    union all by name
    select
        'witnesses_disagree' as gap, machine_id, user_id, tool, count(*) as "count",
        'calls that end differently, the one believed most is kept: '
            || arg_min(call_id || ': ' || array_to_string(statements, ', '), (first_at, call_id)) as detail,
        min(first_at) as first_seen, max(last_at) as last_seen
    from derived.conflicts
    group by machine_id, user_id, tool
    union all by name
    select
        'sessions_without_hooks' as gap, machine_id, user_id, tool, assurance as "where",
        count(*) as "count",
        'sessions without the hooks that this client had on this machine before: '
            || arg_min(session_id, (first_at, session_id)) as detail,
        min(first_at) as first_seen, max(last_at) as last_seen
    from unhooked
    group by machine_id, user_id, tool, assurance
    union all by name
    select
        'calls_without_hooks' as gap, c.machine_id, c.user_id, c.tool, count(*) as "count",
        'calls that files, telemetry or a mod know and the hooks of their sessions do not: '
            || arg_min(c.call_id, (c.first_at, c.call_id)) as detail,
        min(c.first_at) as first_seen, max(c.last_at) as last_seen
    from derived.calls as c
    join derived.sessions as s using (machine, tool, session_id)
    where not list_has_any(c.witnesses, ['hook', 'wrap', 'callback'])
        and list_has_any(s.witnesses, ['hook', 'wrap'])
        -- A mod decided these before any hook was asked.
        and not (c.outcome in ('answered', 'denied') and c.decided_by is not distinct from 'mod')
    group by c.machine_id, c.user_id, c.tool
    union all by name
    select
        'hooks_not_run' as gap, machine_id, user_id, tool, count(*) as "count",
        'sessions whose client reported to a hook and ran none at any of its calls: '
            || 'not trusted, off, or not registered for calls: '
            || arg_min(session_id, (first_at, session_id)) as detail,
        min(first_at) as first_seen, max(last_at) as last_seen
    from (
        select
            s.machine_id, s.user_id, s.tool, s.session_id, min(c.first_at) as first_at,
            max(c.last_at) as last_at
        from derived.sessions as s
        join derived.calls as c using (machine, tool, session_id)
        where list_contains(s.witnesses, 'hook') and c.ran
        group by all
        having not bool_or(list_has_any(c.witnesses, ['hook', 'wrap', 'callback']))
    )
    group by machine_id, user_id, tool
    union all by name
    select
        'hooks_silenced' as gap, machine_id, user_id, tool, hook_event as "where",
        sum(times) as "count",
        case min(case evidence when 'mod' then 1 when 'telemetry' then 2 else 3 end)
            when 1 then 'times that a mod answered this event in the place of the hooks: '
            when 2 then 'times that this event happened, hooks are registered for it and none ran: '
            else 'calls of which hooks saw the rest, and not this event: not registered for it, or silenced: '
        end || arg_min(session_id, (first_at, session_id)) as detail,
        min(first_at) as first_seen, max(last_at) as last_seen
    from derived.silenced
    where within(first_at)
    group by machine_id, user_id, tool, hook_event
    union all by name
    select
        'missing_witness' as gap, machine_id, user_id, tool, kind as "where", sessions as "count",
        'sessions that no ' || kind || ' tells of, while others of the stream have one' as detail,
        first_seen, last_seen
    from derived.unseen_witnesses
)
select * exclude (kind, part) replace (coalesce("where", part) as "where")
from (
    select
        gap, tool, "where",
        cast(coalesce(max("count") filter (gap = 'silent_machine'), sum("count")) as bigint)
            as "count",
        arg_max(detail, ("count", detail)) as detail,
        count(distinct machine_id) as machines, count(distinct user_id) as users,
        min(first_seen) as first_seen, max(last_seen) as last_seen,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id,
        kind, by_machine(part) as part
    from found
    group by all
)
order by gap, tool nulls first, "where" nulls first, detail, machine_id, user_id
