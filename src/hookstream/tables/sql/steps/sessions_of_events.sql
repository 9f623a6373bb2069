select distinct coalesce(machine_id, '') as machine, tool, session_id from base.events
