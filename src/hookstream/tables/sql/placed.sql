-- A call is (machine, tool, session_id, call, instance). An instance is a before event of an id
-- that was used again: the row's own input says which, else (a rewritten one) the latest.
with again as (
    select r.* from base.call_rows as r semi join base.reused using (machine, tool, session_id, call)
),
begun as (
    select
        machine, tool, session_id, call, turn, agent, action_fingerprint as input,
        turn || '/' || agent || '/' || action_fingerprint as name, min(place) as begun_at
    from again
    where is_before and action_fingerprint is not null
    group by all
),
instances as (
    select
        r.event_id, r.machine, r.place, r.action_fingerprint,
        coalesce(
            arg_max(b.name, (b.begun_at, b.name)) filter (
                b.input = r.action_fingerprint and b.turn = r.turn and b.agent = r.agent
            ),
            arg_max(b.name, (b.begun_at, b.name)) filter (
                b.turn = r.turn and b.agent = r.agent and b.begun_at <= r.place
            ),
            arg_max(b.name, (b.begun_at, b.name)) filter (b.begun_at <= r.place),
            r.turn || '/' || r.agent
        ) as instance
    from again as r
    left join begun as b using (machine, tool, session_id, call)
    group by r.event_id, r.machine, r.place, r.action_fingerprint, r.turn, r.agent
)
select r.*, coalesce(i.instance, '') as instance
from base.call_rows as r
left join instances as i on r.machine = i.machine and r.event_id = i.event_id
    and r.place = i.place and r.action_fingerprint is not distinct from i.action_fingerprint
