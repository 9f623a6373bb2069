-- The events of such sessions, with the columns that joining needs. `believed` orders their
-- witnesses (0 a mod, 1 the client's file, 2 live, 3 telemetry), `first_` says whose names a call has (live
-- first: it has the mode and the folder); `at_` is one order for all, since each witness counts its
-- own.
with
rows as (
    select
        coalesce(e.machine_id, '') as machine, e.tool, coalesce(r.root, e.session_id) as session_id,
        case when r.root is null then e.parent_session_id end as parent_session_id,
        case when not r.is_alias then coalesce(e.agent_id, e.session_id) else e.agent_id end
            as agent_id,
        e.agent_type, e.child_session_id, e.parent_agent_id, e.parent_call_id, e.message_id,
        coalesce(list_contains(e.synthesized, 'agent_id'), false) as is_agent_made, e.turn_id, e.call_id, e.event_id, e.event_type, e."timestamp",
        e.user_id, coalesce(e.witness, 'hook') as witness, e.action_name, e.action_native,
        e.action_fingerprint, e.reported_by, e.notification_type, e.decision_evidence, e.decided_by,
        e.decision_reason, e.subject,
        e.prompt_hash, e.native_event, e.error_message, e.model_id,
        e.context_phase, e.context_trigger, e.tokens_before, e.tokens_after, e.tokens_removed,
        e.retry_iteration, e.final, e.derived, e.input_tokens, e.output_tokens, e.certainty,
        coalesce(list_contains(e.synthesized, 'outcome'), false) as is_presumed,
        case e.witness when 'mod' then 0 when 'transcript' then 1 when 'telemetry' then 3 else 2 end
            as believed,
        case e.witness when 'transcript' then 2 when 'telemetry' then 3 when 'mod' then 4 else 1 end
            as first_,
        epoch_us(e."timestamp") * 8 + case
            when e.event_type in ('Session.Start', 'Prompt.Submitted') then 0
            when e.event_type = 'Action.Before' then 1
            when e.event_type in ('Session.End', 'Session.Abort') then 6
            else 3 end as at_,
        coalesce(e.outcome, case when e.success then 'ok' when not e.success then 'error' end) as result,
        -- An id made where the client gives none (hooks of Gemini CLI and Copilot).
        e.call_id is null or list_contains(e.synthesized, 'call_id') as has_no_id
    from base.events as e
    left join base.roots as r on coalesce(e.machine_id, '') = r.machine and e.tool = r.tool
        and e.session_id = r.session_id
    semi join base.several as s on coalesce(e.machine_id, '') = s.machine and e.tool = s.tool
        and coalesce(r.root, e.session_id) = s.session_id
    where e.duplicate_of is null
    qualify row_number() over (partition by coalesce(e.machine_id, ''), e.event_id) = 1
),
-- Inputs that the witnesses with ids have of refused calls alone.
refused as (
    select machine, tool, session_id, action_fingerprint
    from (
        select
            machine, tool, session_id, action_fingerprint, call_id,
            bool_or(event_type = 'Policy.Blocked' or result = 'denied') as is_refused
        from rows
        where not has_no_id and action_fingerprint is not null
        group by all
    )
    group by all
    having bool_and(is_refused)
),
-- Inputs with which calls of theirs began.
begun_with as (
    select distinct machine, tool, session_id, action_fingerprint
    from rows where not has_no_id and event_type = 'Action.Before' and action_fingerprint is not null
),
-- A made id joins an end with another input, as a guard may have changed it, to the call begun last.
begun as (
    select
        machine, tool, session_id, call_id,
        arg_min(action_fingerprint, (at_, event_id)) as action_fingerprint
    from rows
    where has_no_id and event_type = 'Action.Before' and call_id is not null
    group by all
)
select r.* replace (
    -- It was another's if that call never ran, or if both inputs are those of calls.
    case when r.event_type = 'Action.After' and r.has_no_id and r.result in ('ok', 'error')
        and r.action_fingerprint <> b.action_fingerprint
        and (f.machine is not null or (w.machine is not null and o.machine is not null))
        then null else r.call_id end as call_id
)
from rows as r
left join begun as b using (machine, tool, session_id, call_id)
left join refused as f on r.machine = f.machine and r.tool = f.tool
    and r.session_id = f.session_id and b.action_fingerprint = f.action_fingerprint
left join begun_with as w on r.machine = w.machine and r.tool = w.tool
    and r.session_id = w.session_id and b.action_fingerprint = w.action_fingerprint
left join begun_with as o on r.machine = o.machine and r.tool = o.tool
    and r.session_id = o.session_id and r.action_fingerprint = o.action_fingerprint
