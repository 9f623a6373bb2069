-- All events as if one witness had reported them (`changes` has the changes of each), each with its
-- `place` in its session (`steps/one_witness.sql`).
select
    e.* replace (
        coalesce(c.session_id, e.session_id) as session_id,
        case when c.machine is null then e.parent_session_id else c.parent_session_id end
            as parent_session_id,
        coalesce(c.call_id, e.call_id) as call_id,
        coalesce(c.turn_id, e.turn_id) as turn_id,
        coalesce(c.agent_id, e.agent_id) as agent_id,
        coalesce(c.agent_type, e.agent_type) as agent_type,
        coalesce(e.parent_agent_id, c.parent_agent_id) as parent_agent_id,
        coalesce(e.parent_call_id, c.parent_call_id) as parent_call_id,
        coalesce(c.action_fingerprint, e.action_fingerprint) as action_fingerprint,
        case when c.is_thrown_error then 'Policy.Blocked' else e.event_type end as event_type,
        case when c.is_thrown then 'denied' when c.is_less_believed is not true then e.outcome
            end as outcome,
        case when c.is_less_believed is not true and c.is_thrown is not true then e.success
            end as success,
        case when c.is_thrown_error then 'deny' else e.decision end as decision,
        case when c.is_less_believed then null else e.error_message end as error_message,
        case when c.is_thrown then 'hook'
            when c.is_lesser_refusal is not true then coalesce(e.decided_by, c.refuser)
            end as decided_by,
        case when c.is_thrown then c.thrown_words
            when c.is_lesser_reason is not true then e.decision_reason end as decision_reason,
        case when c.is_thrown then c.thrown_by
            when c.is_lesser_refusal is not true then e.decision_evidence end
            as decision_evidence,
        case when c.is_thrown then 'observed'
            when c.is_lesser_refusal is not true then e.certainty end as certainty,
        coalesce(e.tokens_before, c.tokens_before) as tokens_before,
        coalesce(e.tokens_after, c.tokens_after) as tokens_after,
        coalesce(e.tokens_removed, c.tokens_removed) as tokens_removed,
        coalesce(e.context_trigger, c.context_trigger) as context_trigger,
        case when c.is_uncounted then null else e.input_tokens end as input_tokens,
        case when c.is_uncounted then null else e.output_tokens end as output_tokens,
        case when c.is_uncounted then null else e.cache_read_tokens end as cache_read_tokens,
        coalesce(e.duplicate_of, c.repeats) as duplicate_of
    ),
    -- The input as this event has it, not as its call began.
    e.action_fingerprint as own_fingerprint,
    c.told_place,
    coalesce(
        c.told_place * 512 + cast(hash(e.event_id) % 512 as bigint), least(epoch_us(e."timestamp"), 2200000000000000) * 4096
            + coalesce(e.sequence, cast(hash(e.event_id) % 4096 as bigint))
    ) as place,
    coalesce(c.other_witnesses, []) as other_witnesses,
    coalesce(c.other_evidence, []) as other_evidence
from base.events as e
left join base.changes as c
    on coalesce(e.machine_id, '') = c.machine and e.event_id = c.event_id
