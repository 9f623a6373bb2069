-- The changes of each event about a call next to the others: the call's one name, turn and agent;
-- and of an outcome or a refusal that several report, only that of the one believed most.
with
told as (
    select
        *,
        event_type = 'Policy.Blocked' or (event_type = 'Action.After' and result = 'denied')
            as is_refusal,
        -- What a file is only silent about comes after what another says outright.
        case when believed = 1 and is_presumed then 4 else believed end as sure,
        -- A refusal that was seen before one that is concluded, and of these the client's own record
        -- before what was only worded.
        believed + case when certainty = 'inferred' then 8 else 0 end + case
            when decision_evidence in ('text of the result', 'tool_call, by exclusion') then 4
            when reported_by = 'batch' then 4
            -- Its word for a hook is also its word for a function inside the client.
            when believed = 3 and decided_by = 'hook' then 4 else 0 end as shown
    from base.told_calls
),
named as (
    select
        machine, tool, session_id, call, n,
        -- turn-0 is before any prompt that its witness reports.
        arg_min(nullif(turn_id, 'turn-0'), (first_, at_, turn_id)) as turn_id,
        arg_min(agent_id, (believed, at_, agent_id)) as agent_id,
        arg_min(action_fingerprint, (first_, at_, action_fingerprint))
            filter (event_type = 'Action.Before') as action_fingerprint,
        min(sure) filter (event_type = 'Action.After' and result is not null
            and result <> 'denied' and reported_by is distinct from 'batch') as ended_by,
        -- ... without running, as the most believed of its witnesses says.
        min(sure) filter (event_type = 'Action.After' and result = 'answered'
            and reported_by is distinct from 'batch') as answered_by,
        min(shown) filter (is_refusal and decided_by is not null) as refused_by,
        arg_min(decided_by, (shown, decided_by)) filter (is_refusal) as refuser,
        bool_or(event_type = 'Policy.Blocked' and believed = 1) as file_says_refused,
        -- A mod that observes saw a refusal where others take its words for the tool's.
        bool_or(believed = 0 and (event_type = 'Policy.Blocked' or result = 'denied'))
            and not coalesce(bool_or(
                believed = 0 and event_type = 'Action.After' and result <> 'denied'
            ), false) as mod_says_refused,
        bool_or(event_type = 'Action.After' and believed = 1 and result is not null
            and result <> 'denied') as file_says_ran,
        -- Refused before the program's own eyes, which saw no end of it either.
        bool_or(event_type = 'Policy.Blocked' and believed = 2 and certainty = 'observed')
            and not bool_or(event_type = 'Action.After' and believed < 3
                and result is distinct from 'denied') as seen_refused
    from told
    group by machine, tool, session_id, call, n
),
-- The best witness of why that party refused; one that names no party contradicts none.
reasons as (
    select machine, tool, session_id, call, n, min(t.shown) as reasoned_by
    from told as t
    join named as s using (machine, tool, session_id, call, n)
    where t.is_refusal and t.decision_reason is not null
        and coalesce(t.decided_by = s.refuser, true)
    group by machine, tool, session_id, call, n
)
select
    t.event_id, t.machine, t.call as call_id,
    coalesce(s.turn_id, t.turn_id) as turn_id, coalesce(s.agent_id, t.agent_id) as agent_id,
    coalesce(s.action_fingerprint, t.action_fingerprint) as action_fingerprint,
    -- The file says that it never ran: what another took for its end was the refusal. So was the end
    -- of a span that says nothing of an outcome, or whose success nothing shows.
    t.event_type = 'Action.After' and (
        (t.believed > 0 and s.mod_says_refused and t.result is distinct from 'ok')
        or (t.believed > 1 and s.file_says_refused and not s.file_says_ran
            and t.result is distinct from 'ok')
        or (t.believed = 3 and s.seen_refused and (t.result is null or t.is_presumed))
        or (t.sure > s.answered_by and s.answered_by = s.ended_by)
    )
    -- A refusal that only an unknown text shows, of a call that ended otherwise.
    or (t.event_type = 'Policy.Blocked' and t.reported_by = 'batch' and t.certainty = 'inferred'
        and s.ended_by < t.sure) as is_repeat,
    t.event_type = 'Action.After' and t.sure > s.ended_by as is_less_believed,
    t.is_refusal and t.shown > s.refused_by as is_lesser_refusal,
    -- One that names no party has the party that another witness names.
    case when t.is_refusal then s.refuser end as refuser,
    t.is_refusal and (t.shown > r.reasoned_by or t.decided_by <> s.refuser) as is_lesser_reason
from told as t
join named as s using (machine, tool, session_id, call, n)
left join reasons as r using (machine, tool, session_id, call, n)
