-- Each compaction of a context: what set it off, what it removed, and the denies it may have dropped.
-- time: timestamp
-- shows: timestamp tool session_id trigger tokens_before tokens_after completed end certainty denies_before
-- completed is null while nothing shows how it went; `end` says why: completed, not_completed (the
-- session ended without it), unconfirmed (this client never says), open. denies_before counts the
-- denied actions of the session until then.
select
    "timestamp", tool, session_id, "trigger", tokens_before, tokens_after, tokens_removed,
    completed, certainty, denies_before, "end", agent_id, event_id, machine_id, user_id,
    evidence, witnesses
from derived.compactions
order by "timestamp" desc, tool, session_id, event_id
