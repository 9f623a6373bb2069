-- Which guard failed open: actions that ran although the policy that should judge them had failed.
-- time: timestamp
-- shows: timestamp tool session_id failure decided_by action_name command outcome
-- `failure` is what happened to the guard (timeout, crash, garbage, fail-open ...), `outcome` how
-- the action ended. A failed guard whose action never ran is a row of `decisions` only.
with
failures as (
    select
        f."timestamp", f.tool, f.session_id, f.event_id, f.failure, f.decided_by, f.policy_engine,
        f.policy_id, f.matched_rule_id, f.decision, f.place,
        coalesce(b.call, f.call_id) as call
    from stream as f
    left join call_rows as b on f.about = b.event_id and f.tool = b.tool
    where f.failure is not null
),
their_rows as (
    from placed semi join failures using (tool, session_id, call)
),
their_calls as (from calls_of('their_rows'))
select
    f."timestamp", f.tool, f.session_id, c.call_id, f.event_id, f.failure, f.decided_by,
    f.policy_engine, f.policy_id, f.matched_rule_id, f.decision, c.action_name, c.action_native,
    c.command, c.file_path, c.url, c.outcome, c.after_at, c.risk_score, c.agent_id, c.turn_id
from failures as f
join their_calls as c
    on f.tool = c.tool and f.session_id = c.session_id and f.call = c.call
    -- a guard's failure may be recorded after the end of a quick call
    and (c.last_place >= f.place or c.after_at >= f."timestamp")
where c.ran
order by f."timestamp", f.tool, f.session_id, f.place, f.event_id, c.first_place
