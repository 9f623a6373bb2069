-- The changes of an event of such a session next to those of the other witnesses.
select
    t.machine, t.event_id, coalesce(x.session_id, t.session_id) as session_id, t.parent_session_id, t.at_ as told_place,
    coalesce(s.call_id, x.call) as call_id,
    -- What no other witness reports is of the turn that its witness reported a prompt or a call of
    -- last, or does next.
    coalesce(
        s.turn_id, f.turn_id,
        case when t.turn_id is not null then coalesce(
            last_value(coalesce(s.turn_id, f.turn_id) ignore nulls) over (
                turns rows between unbounded preceding and current row
            ),
            first_value(coalesce(s.turn_id, f.turn_id) ignore nulls) over (
                turns rows between current row and unbounded following
            )
        ) end,
        t.turn_id
    ) as turn_id,
    coalesce(s.agent_id, f.agent_id, t.agent_id) as agent_id,
    coalesce(t.agent_type, f.agent_type) as agent_type, s.action_fingerprint,
    coalesce(s.is_less_believed, false) as is_less_believed,
    coalesce(s.is_lesser_refusal, false) as is_lesser_refusal,
    s.refuser, coalesce(s.is_lesser_reason, false) as is_lesser_reason,
    coalesce(u.notice_id, r.first_id, case when s.is_repeat then t.event_id end) as repeats,
    -- Tokens of responses are one witness's.
    coalesce(c.believed <> t.believed, false)
        and t.event_type in ('Model.Responded', 'Agent.Response') as is_uncounted,
    f.parent_agent_id, f.parent_call_id, f.tokens_before, f.tokens_after, f.tokens_removed, f.context_trigger,
    -- The error that a hook refused a call with, and that call's ends.
    x.native_event is not null as is_thrown, coalesce(x.is_error, false) as is_thrown_error,
    x.native_event as thrown_by, x.words as thrown_words,
    coalesce(f.witnesses, []) as other_witnesses, coalesce(f.evidence, []) as other_evidence
from base.told as t
left join base.settled as s on t.machine = s.machine and t.event_id = s.event_id
left join base.repeats as r on t.machine = r.machine and t.event_id = r.event_id
left join base.unprompted as u on t.machine = u.machine and t.event_id = u.event_id
left join base.repeated_facts as f on t.machine = f.machine and t.event_id = f.event_id
left join base.thrown as x on t.machine = x.machine and t.event_id = x.event_id
left join base.counted_by as c
    on t.machine = c.machine and t.tool = c.tool and t.session_id = c.session_id
window turns as (
    partition by t.machine, t.tool, t.session_id, t.believed, t.turn_id order by t.at_, t.event_id
)
