select
    machine, tool, session_id, place, what, n, agent, turn, action_fingerprint, outcome, output_hash
from base.loop_steps
order by machine, tool, session_id, place, what, n
