-- The place in its session at which an action last ran.
select machine, tool, session_id, action_fingerprint, max(ran_place) as ran_at
from base.actions
where ran_place is not null and action_fingerprint is not null
group by all
