-- Calls that can be attempts of a retry loop, numbered; `end_place` is where one was over. Of keys
-- with fewer failures and successes than the least loop has (the settings loop_failures and
-- loop_unchanged) no call is one.
with
attempts as (
    select
        machine, user_id, tool, session_id, coalesce(agent_id, '') as agent,
        coalesce(turn_id, '') as turn,
        action_fingerprint, action_name, command, outcome, output_hash,
        first_place, last_place, first_at, last_at, call, instance,
        case when outcome in ('ok', 'error', 'timeout', 'denied') then coalesce(
            case when outcome = 'denied' then deny_place end, ran_place, last_place
        ) end as end_place
    from base.calls
    where action_fingerprint is not null and (has_before or has_after or denied)
),
often as (
    select machine, tool, session_id, agent, turn, action_fingerprint
    from attempts
    group by all
    having count(*) filter (outcome in ('error', 'timeout', 'denied'))
            >= getvariable('loop_failures')
        or count(*) filter (outcome = 'ok') >= getvariable('loop_unchanged')
)
select
    row_number() over (order by machine, tool, session_id, first_place, call, instance) as n, *
from attempts semi join often using (machine, tool, session_id, agent, turn, action_fingerprint)
