-- A vendor without call ids, read straight from its hook's lines, has none: there the n-th after
-- belongs to the n-th before of the same agent, tool and input that was not refused.
with without_id as (
    select
        event_id, is_before, machine,
        hash(machine, tool, session_id, agent, action_native, action_fingerprint) as same,
        row_number() over (
            partition by
                machine, tool, session_id, agent, action_native, action_fingerprint, event_type
            order by place, event_id
        ) as number
    from base.call_events
    where call_id is null and (is_after or (
        is_before and is_deny is distinct from true and event_id not in (
            select about from base.decided
            where decision = 'deny' and enforced and is_of_call and about is not null
        )
    ))
)
select a.machine, a.event_id, b.event_id as before_id
from without_id as a
join without_id as b on a.same = b.same and a.number = b.number and b.is_before
where not a.is_before
