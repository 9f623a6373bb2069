-- Sessions that wait for a person: what they asked for, and since when.
-- time: since
-- shows: since tool project what session_id machine_id user_id heard_at
-- A question whose session has no later event. `since` is the first of the questions at its end, `what` the call that
-- was asked for. `heard_at` is the newest event of that machine: what was asked long before it is more
-- likely a client that was killed. Sessions without a person are left out.
with
questions as (
    select machine, tool, session_id, max("timestamp") as asked_at
    from stream
    where notification_type = 'ToolPermission' or decision = 'ask'
    group by all
),
waiting as (
    select s.*
    from derived.sessions as s
    join questions as q using (machine, tool, session_id)
    where s.last_at <= q.asked_at and s.ended_at is null and s.attended is distinct from false
),
events_of as (
    select
        e.machine, e.tool, e.session_id, e."timestamp", e.place, e.event_id, e.event_type,
        coalesce(e.notification_type = 'ToolPermission' or e.decision = 'ask', false) as is_question,
        coalesce(e.command, e.file_path, e.url, e.action_native) as what
    from stream as e
    semi join waiting as w using (machine, tool, session_id)
),
ends as (
    select
        machine, tool, session_id, max("timestamp") filter (not is_question) as went_on_at,
        arg_max(what, (place, event_id)) filter (event_type = 'Action.Before' or is_question) as what
    from events_of
    group by all
),
asked as (
    select
        e.machine, e.tool, e.session_id, min(e."timestamp") as since,
        list(e.event_id order by e.place, e.event_id) as evidence
    from events_of as e
    join ends as n using (machine, tool, session_id)
    where e.is_question and (n.went_on_at is null or e."timestamp" >= n.went_on_at)
    group by all
)
select
    a.since, w.tool, w.project, n.what, w.session_id, w.machine_id, w.user_id, w.permission_mode,
    w.cwd, h.heard_at, a.evidence
from waiting as w
join ends as n using (machine, tool, session_id)
join asked as a using (machine, tool, session_id)
join (select machine, max(last_at) as heard_at from base.sessions group by machine) as h
    using (machine)
order by a.since desc, w.tool, w.session_id
