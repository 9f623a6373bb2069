-- One row per question for permission.
select
    machine, user_id, ask_at as "timestamp", machine_id, tool, session_id, call_id, action_name,
    resolution, decided_by,
    -- Witnesses take their times a little apart.
    case when answered_at >= ask_at then date_diff('millisecond', ask_at, answered_at) end
        as waited_ms,
    action_native, command, file_path, url, mcp_server, agent_id, turn_id,
    ask_id as event_id, evidence, witnesses, ask_place as place,
    decision_evidence, certainty, held, held_evidence, held_certainty
from (
    select
        * exclude (decided_by, certainty), unnest(case
            when denied and not ran and not (answer_by is not null and denied_by_guardian)
                then {
                    'resolution': 'denied', 'decided_by': denied_by, 'answered_at': deny_at,
                    'decision_evidence': deny_evidence, 'certainty': coalesce(certainty, 'observed')
                }
            when answer_by is not null then {
                'resolution': 'approved', 'decided_by': answer_by, 'answered_at': answer_at,
                'decision_evidence': answer_evidence, 'certainty': answer_certainty
            }
            when is_unasked then {
                'resolution': 'asked_nobody', 'decided_by': null, 'answered_at': null,
                'decision_evidence': 'permission_mode', 'certainty': 'inferred'
            }
            when held = 'asked_nobody' then {
                'resolution': held, 'decided_by': null, 'answered_at': null,
                'decision_evidence': held_evidence, 'certainty': held_certainty
            }
            else {
                'resolution': 'unknown', 'decided_by': null, 'answered_at': null,
                'decision_evidence': null, 'certainty': null
            }
        end)
    from base.calls
    where asked
)
union all by name
-- What a person decided was asked, whether or not a witness reports the question itself: session
-- files mostly hold the answer alone, and so no time of waiting.
select
    machine, user_id, first_at as "timestamp", machine_id, tool, session_id, call_id, action_name,
    case when decision = 'deny' then 'denied' else 'approved' end as resolution,
    decided_by, cast(null as bigint) as waited_ms, action_native, command, file_path, url,
    mcp_server, agent_id, turn_id, coalesce(deny_id, evidence[1]) as event_id, evidence, witnesses,
    first_place as place, coalesce(deny_evidence, answer_evidence) as decision_evidence,
    certainty, held, held_evidence, held_certainty
from base.calls
where not asked and decided_by in ('user', 'host') and decision in ('deny', 'allow')
    and certainty = 'observed' and not overridden and list_contains(witnesses, 'transcript')
union all by name
-- A question about no call has an answer that names it (whether to continue in a loop), or is a
-- guardian's about a prompt, an answer, a memory.
(
    with answered as (
        select q.*, null as about_id, a.decision as answer, a.decided_by as answered_by,
            a."timestamp" as answered_at, a.event_id as answer_id, a.witness as answer_witness,
            coalesce(a.decision_evidence, a.native_event) as decision_evidence, a.certainty
        from (
            select machine, "timestamp", machine_id, tool, session_id, agent_id, turn_id, event_id,
                witness, place
            from base.stream
            where notification_type = 'ToolPermission' and call_id is null
        ) as q
        join base.stream as a on a.machine = q.machine and a.tool = q.tool
            and a.session_id = q.session_id and a.about = q.event_id
            and a.event_type in ('Policy.Blocked', 'Policy.Override')
        union all by name
        select q.*, a.decision as answer, a.decided_by as answered_by,
            a."timestamp" as answered_at, a.event_id as answer_id, a.witness as answer_witness,
            coalesce(a.decision_evidence, a.native_event) as decision_evidence, a.certainty
        from (
            select machine, "timestamp", machine_id, tool, session_id, agent_id, turn_id, event_id,
                witness, place, about as about_id
            from base.decided
            where decision = 'ask' and not is_of_call and not is_loose
        ) as q
        left join base.decided as a on a.machine = q.machine and a.tool = q.tool
            and a.session_id = q.session_id and a.place > q.place
            and a.decision in ('allow', 'deny') and a.about in (q.about_id, q.event_id)
        qualify row_number() over (partition by q.machine, q.event_id order by a.place, a.event_id) = 1
    )
    select
        q.machine, k.user_id, q."timestamp", q.machine_id, q.tool, q.session_id,
        null as call_id, null as action_name,
        case when q.answer = 'deny' then 'denied'
            when q.answer = 'allow' and q.answered_by is not null then 'approved' else 'unknown' end
            as resolution,
        q.answered_by as decided_by,
        date_diff('millisecond', q."timestamp", q.answered_at) as waited_ms,
        null as action_native, null as command, null as file_path, null as url,
        null as mcp_server, q.agent_id, q.turn_id, q.event_id,
        list_filter([q.about_id, q.event_id, q.answer_id], lambda e: e is not null) as evidence,
        list_sort(list_distinct([coalesce(q.witness, 'hook'), coalesce(q.answer_witness, 'hook')]))
            as witnesses,
        q.place, q.decision_evidence,
        case when q.answer is not null then coalesce(q.certainty, 'observed') end as certainty
    from answered as q
    join base.known as k
        on q.machine = k.machine and q.tool = k.tool and q.session_id = k.session_id
)
union all by name
-- What a person resolved at the standard's hook point was asked, even if no question is known.
(
    select
        r.machine, k.user_id, coalesce(q."timestamp", r."timestamp") as "timestamp", r.machine_id,
        r.tool, r.session_id, r.call_id, r.action_name,
        case when r.event_type = 'Policy.Blocked' then 'denied'
            when r.event_type = 'Policy.Override' and r.decided_by is not null then 'approved'
            else 'unknown' end as resolution,
        r.decided_by, date_diff('millisecond', q."timestamp", r."timestamp") as waited_ms,
        r.action_native, r.command, r.file_path, r.url, r.mcp_server, r.agent_id, r.turn_id,
        coalesce(q.event_id, r.event_id) as event_id,
        list_filter([q.event_id, r.event_id], lambda e: e is not null) as evidence,
        list_sort(list_distinct([coalesce(q.witness, r.witness, 'hook'), coalesce(r.witness, 'hook')]))
            as witnesses,
        coalesce(q.place, r.place) as place,
        coalesce(r.decision_evidence, r.native_event) as decision_evidence,
        coalesce(r.certainty, 'observed') as certainty
    from base.stream as r
    join base.known as k
        on r.machine = k.machine and r.tool = k.tool and r.session_id = k.session_id
    left join base.decided as q on q.machine = r.machine and q.tool = r.tool
        and q.session_id = r.session_id and q.event_id = r.about and q.decision = 'ask'
    where r.hook_point = 'PostAskResolution' and r.native_event = 'PostAskResolution'
        -- rows that the questions above have
        and (q.event_id is null or q.is_loose)
        and not exists (
            from base.calls as c
            where c.asked and c.machine = r.machine and c.tool = r.tool
                and c.session_id = r.session_id and c.call_id = r.call_id
        )
)
