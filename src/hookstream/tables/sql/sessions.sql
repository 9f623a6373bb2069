-- One row per session.
with
seen as (
    select
        session,
        min("timestamp") as first_at,
        max("timestamp") as last_at,
        max(place) filter (event_type = 'Session.Start') as start_place,
        max(place) filter (event_type in ('Session.End', 'Session.Abort')) as end_place,
        arg_max("timestamp", nth) filter (event_type in ('Session.End', 'Session.Abort'))
            as end_at,
        arg_max(
            case
                when event_type = 'Session.End' then coalesce(end_reason, 'end')
                when event_type = 'Session.Abort' then coalesce(abort_reason, 'abort')
            end,
            nth
        ) as end_word,
        count(*) filter (event_type = 'Prompt.Submitted') as prompts,
        cast(sum(input_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as bigint) as input_tokens,
        cast(sum(output_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as bigint) as output_tokens,
        max(risk_score) as max_risk,
        count(*) as events,
        -- The sequence counts from 1: what came first was deleted, or never written.
        coalesce(min(sequence) > 1, false) as is_cut,
        arg_max(model_id, nth) as model_id,
        case when min(model_id) = max(model_id) then min(model_id) end as only_model,
        arg_max(permission_mode, nth) as permission_mode,
        arg_min(cwd, nth) as cwd,
        arg_min(repo, nth) as repo,
        max(tool_version) as tool_version,
        list_sort(list(distinct coalesce(witness, 'hook'))) as witnesses
    from (
        select *, cast(place as hugeint) * 18446744073709551616 + hash(
            event_id, event_type, "timestamp", end_reason, abort_reason, model_id,
            permission_mode, cwd, repo
        ) as nth
        from base.keyed_stream
    )
    group by all
),
called as (
    select
        machine, tool, session_id,
        count(*) as actions,
        count(*) filter (outcome = 'error') as failures,
        count(*) filter (has_before and not has_after and not denied) as open_calls
    from base.calls
    group by all
),
refused as (
    select machine, tool, session_id, count(*) as denies from base.denies group by all
),
shortened as (
    select machine, tool, session_id, count(*) as compactions
    from base.compactions
    where completed is distinct from false
    group by all
),
answered as (
    select
        machine, tool, session_id, place, event_type, prompt_hash,
        case when event_type = 'Agent.Response' then prompt_hash end as own,
        case when event_type = 'Agent.Response' then coalesce(is_followup, false) end as again
    from base.stream
    where event_type in ('Prompt.Submitted', 'Agent.Response')
        and tool in (select tool from base.capabilities where answers_name_prompts)
),
-- A hook that rejects an answer makes its reason the next prompt. No person typed it if the next
-- answer says so, or if the answers before and after it name one and the same other prompt.
reasons as (
    select
        machine, tool, session_id,
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
            partition by machine, tool, session_id order by place, prompt_hash
            rows between unbounded preceding and 1 preceding
        ),
        after_this as (
            partition by machine, tool, session_id order by place, prompt_hash
            rows between 1 following and unbounded following
        )
),
no_prompts as (
    select machine, tool, session_id, count(*) as reasons from reasons where is_reason group by all
)
select
    nullif(s.machine, '') as machine_id, k.user_id,
    s.tool, s.session_id, k.parent_session_id, e.first_at as started_at,
    case when e.start_place > e.end_place then null else e.end_at end as ended_at,
    date_diff(
        'millisecond', e.first_at,
        coalesce(case when e.start_place > e.end_place then null else e.end_at end, e.last_at)
    ) as duration_ms,
    case when e.start_place > e.end_place then null else e.end_word end as ended_how,
    e.prompts - coalesce(n.reasons, 0) as prompts,
    coalesce(c.actions, 0) as actions, coalesce(c.failures, 0) as failures,
    coalesce(d.denies, 0) as denies, coalesce(h.compactions, 0) as compactions,
    e.input_tokens, e.output_tokens, e.max_risk,
    e.last_at, e.events, e.model_id, e.permission_mode, e.cwd, e.repo,
    -- The repository as owner/name, else the last folder.
    nullif(
        case
            when regexp_matches(e.repo, '^([/~\\]|[A-Za-z]:)') or e.repo is null
                then regexp_extract(rtrim(coalesce(e.repo, e.cwd), '/\'), '[^/\\]+$')
            else regexp_extract(e.repo, '(([^/:]+/)?[^/:]+?)(\.git)?/*$', 1)
        end,
        ''
    ) as project,
    e.tool_version, e.witnesses,
    e.is_cut, a.assurance, a.assurance_reasons, a.capture_scopes, a.missing_events,
    k.attended,
    -- Columns that only questions and the next refresh need
    s.machine, coalesce(c.open_calls, 0) as open_calls, e.first_at, e.only_model,
    k.has_after, k.has_ok, k.has_failed, k.has_batch, k.has_turns, k.has_before, k.after_natives,
    k.went_on, k.went_on_at, k.began_at, k.over_at, k.told, k.is_stray
from seen as e
join base.numbers as s using (session)
join base.known as k using (machine, tool, session_id)
join base.assured as a using (machine, tool, session_id)
left join called as c using (machine, tool, session_id)
left join refused as d using (machine, tool, session_id)
left join shortened as h using (machine, tool, session_id)
left join no_prompts as n using (machine, tool, session_id)
