-- Each compaction of a context: what set it off, what it removed, and the denies it may have dropped.
-- time: timestamp
-- shows: timestamp tool session_id trigger tokens_before tokens_after completed end certainty denies_before
-- completed is null while nothing shows how it went; `end` says why: completed, not_completed (the
-- session ended without it), unconfirmed (this client never says), open. denies_before counts the
-- denied actions of the session until then.
select
    c."timestamp", c.tool, c.session_id, c."trigger", c.tokens_before, c.tokens_after,
    c.tokens_removed, c.completed, c.certainty, count(d.deny_id) as denies_before,
    c."end", c.agent_id, c.event_id
from compacted as c
left join denied as d
    on c.tool = d.tool and c.session_id = d.session_id and d.deny_place < c.first_place
group by all
order by c."timestamp", c.tool, c.session_id, c.event_id
