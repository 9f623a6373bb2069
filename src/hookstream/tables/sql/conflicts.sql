-- Disagreements of witnesses about a call's end: one row per call, with the end from each. That a
-- call was cancelled is one way to say that it failed.
select
    nullif(machine, '') as machine_id, max(user_id) as user_id, tool, session_id, call as call_id,
    list_sort(list(distinct coalesce(witness, 'hook') || ' says ' || said)) as statements,
    min("timestamp") as first_at, max("timestamp") as last_at, machine
from (
    select
        *,
        case when event_type = 'Policy.Blocked' or result = 'denied' then 'denied'
            when event_type = 'Action.After' then result end as said
    from base.told_calls
    where coalesce(reported_by, '') <> 'batch'
)
where said is not null
group by machine, tool, session_id, call, n
having count(distinct case when said = 'cancelled' then 'error' else said end) > 1
    and count(distinct believed) > 1
