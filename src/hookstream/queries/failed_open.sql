-- Which guard failed open: actions that ran although the policy that should judge them had failed.
-- time: timestamp
-- shows: timestamp tool session_id failure decided_by action_name what outcome
-- `failure` is what happened to the guard (timeout, crash, garbage, fail-open ...), `outcome` how
-- the action ended. A failed guard whose action never ran is a row of `decisions` only.
select
    f."timestamp", f.tool, f.session_id, c.call_id, f.event_id, f.failure, f.decided_by,
    f.policy_engine, f.policy_id, f.matched_rule_id, f.decision, c.action_name, c.action_native,
    c.command, c.file_path, c.url, c.outcome, c.after_at, c.risk_score, c.agent_id, c.turn_id,
    c.machine_id, c.user_id, coalesce(c.command, c.file_path, c.url, c.action_native) as what
from derived.decisions as f
join derived.calls as c
    on f.machine = c.machine and f.tool = c.tool and f.session_id = c.session_id
    and (
        f.call_id = c.call_id
        or list_contains(c.evidence, f.event_id)
        or (f.about is not null and list_contains(c.evidence, f.about))
    )
    -- a guard's failure may be recorded after the end of a quick call
    and (c.last_place >= f.place or c.after_at >= f."timestamp")
where f.failure is not null and c.ran
order by f."timestamp" desc, f.tool, f.session_id, f.place, f.event_id, c.first_place
