-- The fill of a context, each time that an event reports it.
select
    machine, machine_id, user_id, tool, session_id, agent_id, "timestamp", place, event_type,
    tokens_used, tokens_limit,
    coalesce(percentage_used, 100.0 * tokens_used / nullif(tokens_limit, 0)) as percentage
from base.stream
where event_type in ('Context.UntilCompaction', 'Context.Compaction')
