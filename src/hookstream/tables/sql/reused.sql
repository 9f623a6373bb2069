-- Call ids that name several actions: used again in another turn or by another agent, as in a
-- resumed session, or for another input. Models and gateways choose them.
select machine, tool, session_id, call
from base.call_rows
where is_before
group by all
having min(hash(turn, agent)) <> max(hash(turn, agent))
    or min(action_fingerprint) <> max(action_fingerprint)
