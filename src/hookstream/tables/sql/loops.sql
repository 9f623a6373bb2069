-- Retry loops: decided by `detect.attempts` for the stream and for tables alike (`found_loops`),
-- here with facts of their calls and models.
with
told as (
    select
        f.number, any_value(a.user_id) as user_id, any_value(a.action_name) as action_name,
        arg_min(a.command, n) as command,
        min(a.first_place) as first_place, max(a.last_place) as last_place,
        min(a.first_at) as first_at, max(a.last_at) as last_at
    from (select number, unnest(calls) as n from base.found_loops) as f
    join base.loop_attempts as a using (n)
    group by f.number
),
spent as (
    select
        f.number,
        cast(sum(coalesce(s.input_tokens, 0) + coalesce(s.output_tokens, 0)) as bigint) as tokens
    from base.found_loops as f
    join told as t using (number)
    join base.stream as s on f.machine = s.machine and f.tool = s.tool
        and f.session_id = s.session_id and s.place between t.first_place and t.last_place
    where s.event_type = 'Model.Responded'
    group by f.number
)
select
    nullif(f.machine, '') as machine_id, t.user_id,
    f.tool, f.session_id, nullif(f.agent, '') as agent_id, t.action_name,
    f.action_fingerprint as fingerprint, f.kind, f.attempts, f.failures, t.first_at, t.last_at,
    date_diff('millisecond', t.first_at, t.last_at) as elapsed_ms,
    f.aborted, s.tokens, nullif(f.turn, '') as turn_id, t.command, t.first_place, t.last_place,
    f.machine
from base.found_loops as f
join told as t using (number)
left join spent as s using (number)
