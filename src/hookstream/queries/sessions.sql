-- One row a session: when, how it ended, prompts, actions, failures, denies, tokens, highest risk.
-- time: started_at
-- shows: tool session_id started_at duration_ms ended_how prompts actions failures denies compactions input_tokens output_tokens max_risk
-- ended_at is null for a session that is still open or never said it ended.
with
seen as (
    select
        tool, session_id,
        max(parent_session_id) as parent_session_id,
        min("timestamp") as first_at,
        max("timestamp") as last_at,
        max(place) filter (event_type = 'Session.Start') as start_place,
        max(place) filter (event_type in ('Session.End', 'Session.Abort')) as end_place,
        arg_max("timestamp", place) filter (event_type in ('Session.End', 'Session.Abort'))
            as end_at,
        arg_max(
            case
                when event_type = 'Session.End' then coalesce(end_reason, 'end')
                when event_type = 'Session.Abort' then coalesce(abort_reason, 'abort')
            end,
            place
        ) as end_word,
        count(*) filter (event_type = 'Prompt.Submitted') as prompts,
        sum(input_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as input_tokens,
        sum(output_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as output_tokens,
        max(risk_score) as max_risk,
        count(*) as events,
        arg_max(model_id, place) as model_id,
        arg_max(permission_mode, place) as permission_mode,
        arg_min(cwd, place) as cwd,
        arg_min(repo, place) as repo,
        max(tool_version) as tool_version,
        max(user_id) as user_id,
        max(machine_id) as machine_id
    from stream
    group by all
),
called as (
    select
        tool, session_id,
        count(*) filter (has_before or has_after or denied) as actions,
        count(*) filter (outcome = 'error') as failures
    from calls
    group by all
),
refused as (select tool, session_id, count(*) as denies from denied group by all),
shortened as (
    select tool, session_id, count(*) as compactions
    from compacted
    where completed is distinct from false
    group by all
),
answered as (
    select
        tool, session_id, place, event_type, prompt_hash,
        case when event_type = 'Agent.Response' then prompt_hash end as own,
        case when event_type = 'Agent.Response' then coalesce(is_followup, false) end as again
    from stream
    where tool in ('gemini-cli', 'copilot')
        and event_type in ('Prompt.Submitted', 'Agent.Response')
),
-- A hook that rejects an answer makes its reason the next prompt. No person typed it if the next
-- answer says so, or if the answers before and after it name one and the same other prompt.
reasons as (
    select
        tool, session_id,
        event_type = 'Prompt.Submitted' and coalesce(
            first_value(again ignore nulls) over after_this
            or (
                prompt_hash <> first_value(own ignore nulls) over after_this
                and last_value(own ignore nulls) over before_this
                    = first_value(own ignore nulls) over after_this
            ),
            false
        ) as is_reason
    from answered
    window
        before_this as (
            partition by tool, session_id order by place
            rows between unbounded preceding and 1 preceding
        ),
        after_this as (
            partition by tool, session_id order by place
            rows between 1 following and unbounded following
        )
),
no_prompts as (
    select tool, session_id, count(*) as reasons from reasons where is_reason group by all
)
select
    s.tool, s.session_id, s.parent_session_id, s.first_at as started_at,
    case when s.start_place > s.end_place then null else s.end_at end as ended_at,
    date_diff('millisecond', s.first_at, coalesce(ended_at, s.last_at)) as duration_ms,
    case when s.start_place > s.end_place then null else s.end_word end as ended_how,
    s.prompts - coalesce(n.reasons, 0) as prompts,
    coalesce(c.actions, 0) as actions, coalesce(c.failures, 0) as failures,
    coalesce(r.denies, 0) as denies, coalesce(h.compactions, 0) as compactions,
    s.input_tokens, s.output_tokens, s.max_risk,
    s.last_at, s.events, s.model_id, s.permission_mode, s.cwd, s.repo, s.tool_version, s.user_id,
    s.machine_id
from seen as s
left join called as c on s.tool = c.tool and s.session_id = c.session_id
left join refused as r on s.tool = r.tool and s.session_id = r.session_id
left join shortened as h on s.tool = h.tool and s.session_id = h.session_id
left join no_prompts as n on s.tool = n.tool and s.session_id = n.session_id
order by started_at, s.tool, s.session_id
