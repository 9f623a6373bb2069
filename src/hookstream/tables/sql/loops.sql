-- Retry loops (design 7), counted from what the calls say. An attempt is a call; a run of them
-- under one key (session, agent, turn, fingerprint) ends with a success, which is still an attempt.
-- Of calls that one of N agents made (`one-of-N-...`) is counted what one of them made at least.
-- The thresholds are settings: loop_failures (3) and loop_unchanged (8).
with
attempts as (
    select
        machine, user_id, tool, session_id, coalesce(agent_id, '') as agent,
        coalesce(turn_id, '') as turn,
        action_fingerprint, action_name, command, outcome, output_hash,
        first_place, last_place, first_at, last_at, call || instance as call,
        coalesce(
            try_cast(nullif(regexp_extract(agent_id, '^one-of-([1-9]\d{0,2})-', 1), '') as int), 1
        ) as agents
    from whole.calls
    where action_fingerprint is not null and (has_before or has_after or denied)
),
often as (
    select machine, tool, session_id, agent, turn, action_fingerprint
    from attempts
    group by all
    having count(*) filter (outcome in ('error', 'timeout', 'denied'))
            > (getvariable('loop_failures') - 1) * max(agents)
        or count(*) filter (outcome = 'ok') > (getvariable('loop_unchanged') - 1) * max(agents)
),
in_order as (
    select
        a.*,
        count(*) filter (outcome = 'ok') over before_this as successes,
        outcome in ('ok', 'error', 'timeout', 'denied') as is_decided,
        outcome = 'ok'
            and lag(case when is_decided then outcome end ignore nulls) over by_key = 'ok'
            and output_hash
                = lag(case when is_decided then output_hash end ignore nulls) over by_key
            as is_unchanged
    from attempts as a
    semi join often using (machine, tool, session_id, agent, turn, action_fingerprint)
    window
        by_key as (
            partition by machine, tool, session_id, agent, turn, action_fingerprint
            order by first_place, call
        ),
        before_this as (
            partition by machine, tool, session_id, agent, turn, action_fingerprint
            order by first_place, call rows between unbounded preceding and 1 preceding
        )
),
islands as (
    select
        *,
        count(*) filter (is_decided and not coalesce(is_unchanged, false)) over (
            partition by machine, tool, session_id, agent, turn, action_fingerprint
            order by first_place, call
        ) as island
    from in_order
),
failing as (
    select
        machine, any_value(user_id) as user_id, tool, session_id, agent, turn, action_fingerprint,
        any_value(action_name) as action_name, arg_min(command, first_place) as command,
        case when 2 * count(*) filter (outcome = 'denied')
            > count(*) filter (outcome in ('error', 'timeout', 'denied'))
        then 'denied' else 'failing' end as kind,
        cast(ceil(count(*) / max(agents)) as bigint) as attempts,
        cast(
            ceil(count(*) filter (outcome in ('error', 'timeout', 'denied')) / max(agents))
            as bigint
        ) as failures,
        min(first_place) as first_place, max(last_place) as last_place,
        min(first_at) as first_at, max(last_at) as last_at,
        bool_or(outcome = 'ok') as closed
    from islands
    group by machine, tool, session_id, agent, turn, action_fingerprint, successes
    having failures >= getvariable('loop_failures')
),
unchanged as (
    select
        machine, any_value(user_id) as user_id, tool, session_id, agent, turn, action_fingerprint,
        any_value(action_name) as action_name, arg_min(command, first_place) as command,
        'unchanged' as kind,
        cast(ceil(count(*) / max(agents)) as bigint) as attempts, 0 as failures,
        min(first_place) as first_place, max(last_place) as last_place,
        min(first_at) as first_at, max(last_at) as last_at, false as closed
    from islands
    group by machine, tool, session_id, agent, turn, action_fingerprint, island
    having count(*) filter (outcome = 'ok') > (getvariable('loop_unchanged') - 1) * max(agents)
),
found as (from failing union all from unchanged),
rows_of as (
    select machine, tool, session_id, place, event_type,
        case when event_type = 'Model.Responded'
            then coalesce(input_tokens, 0) + coalesce(output_tokens, 0) end as spent
    from whole.stream semi join found using (machine, tool, session_id)
    where event_type in ('Prompt.Submitted', 'Session.End', 'Session.Abort', 'Model.Responded')
),
followed as (
    select
        f.machine, f.tool, f.session_id, f.agent, f.turn, f.action_fingerprint, f.first_place,
        arg_min(s.event_type, s.place)
            filter (s.place > f.last_place and s.event_type <> 'Model.Responded') as next_type,
        cast(sum(s.spent) filter (s.place between f.first_place and f.last_place) as bigint)
            as tokens
    from found as f
    join rows_of as s using (machine, tool, session_id)
    group by all
)
select
    nullif(f.machine, '') as machine_id, f.user_id,
    f.tool, f.session_id, nullif(f.agent, '') as agent_id, f.action_name,
    f.action_fingerprint as fingerprint, f.kind, f.attempts, f.failures, f.first_at, f.last_at,
    date_diff('millisecond', f.first_at, f.last_at) as elapsed_ms,
    not f.closed and coalesce(n.next_type in ('Session.End', 'Session.Abort'), false) as aborted,
    n.tokens, nullif(f.turn, '') as turn_id, f.command, f.first_place, f.last_place, f.machine
from found as f
left join followed as n
    using (machine, tool, session_id, agent, turn, action_fingerprint, first_place)
