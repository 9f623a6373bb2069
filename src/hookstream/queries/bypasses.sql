-- A denied target reached another way: the same file, URL or host by another action that ran later.
-- time: timestamp
-- shows: timestamp tool session_id target denied_native action_native command outcome
-- One row a denied action and the first later action of its session that names the same target and
-- is not the same action (that one is `executed_afterwards` in denies). `target` is what both name.
with
targets as (
    select
        d.machine, d.machine_id, d.user_id, d.tool, d.session_id, d.event_id as deny_id,
        d."timestamp" as deny_at, d.deny_place, d.call, d.instance, d.action_fingerprint,
        d.certainty, d.decided_by as denied_by, d.decision_reason as deny_reason,
        d.action_name, d.action_native, d.command, t.target
    from derived.denies as d,
        lateral (
            select distinct unnest(flatten([
                [d.file_path, d.url],
                regexp_extract_all(d.command, '[a-z][a-z0-9+.-]*://[^\s''"<>|;&()]+'),
                regexp_extract_all(d.command, '(?:~|\.{1,2})?/?(?:[\w.@%+-]+/)+[\w.@%+-]+'),
                regexp_extract_all(d.command, '[\w-]*\.[A-Za-z][\w.-]*\w')
            ])) as target
        ) as t
    where length(t.target) >= 5
        and t.target not in ('/dev/null', '/tmp/', '/usr/bin', '/bin/bash', '/bin/sh')
),
later as (
    from derived.calls semi join targets using (machine, tool, session_id) where ran
),
reached as (
    select
        t.*, l.call_id as by_call_id, l.action_name as by_action_name,
        l.action_native as by_action_native, l.command as by_command, l.file_path as by_file_path,
        l.url as by_url, l.outcome, l.first_at as reached_at, l.first_place as reached_place,
        l.call as by_call
    from targets as t
    join later as l
        on t.machine = l.machine and t.tool = l.tool and t.session_id = l.session_id and l.first_place > t.deny_place
        and l.action_fingerprint is distinct from t.action_fingerprint
        and (l.call <> t.call or l.instance <> t.instance)
        and (
            contains(l.command, t.target) or contains(l.file_path, t.target)
            or contains(l.url, t.target)
            or (length(l.file_path) >= 5 and ends_with(t.target, '/' || l.file_path))
        )
)
select
    reached_at as "timestamp", tool, session_id, target, action_name as denied_action,
    action_native as denied_native, command as denied_command, denied_by as decided_by,
    deny_reason as decision_reason, certainty, deny_at as denied_at, deny_id as denied_event_id,
    by_action_name as action_name, by_action_native as action_native, by_command as command,
    by_file_path as file_path, by_url as url, by_call_id as call_id, outcome,
    machine_id, user_id
from reached
qualify row_number() over (
    partition by machine, tool, session_id, deny_id
    order by reached_place, by_call, length(target) desc, target
) = 1
order by "timestamp", tool, session_id, denied_event_id
