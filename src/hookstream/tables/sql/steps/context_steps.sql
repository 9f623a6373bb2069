select
    machine, tool, session_id, confirms, n, event_id, event_type, agent, context_phase,
    context_trigger, tokens_before, tokens_after, tokens_removed, is_observed, message_count,
    input_tokens
from base.context_steps
order by machine, tool, session_id, place, event_id, n
