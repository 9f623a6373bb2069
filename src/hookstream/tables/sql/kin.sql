-- Sessions whose events are another's: those that a client's hooks give to a sub-agent, if its file
-- reports the sub-agent within its parent's session; and (`is_alias`) what a session is called where
-- a file lacks its header and only its name has the beginning of the id. `is_separate` are sub-agents'
-- sessions that stay apart and are derived together with their parent's (`thrown`), and those that the
-- result of a call names: of a start that failed the session itself has but its end.
select
    coalesce(machine_id, '') as machine, tool, agent_id as session_id, min(session_id) as parent,
    false as is_alias, false as is_separate
from base.events
where agent_id is not null and agent_id <> session_id
group by coalesce(machine_id, ''), tool, agent_id
union all
select
    coalesce(e.machine_id, '') as machine, e.tool, left(e.session_id, k.file_name_has) as session_id,
    min(e.session_id) as parent, true as is_alias, false as is_separate
from base.events as e
join base.capabilities as k on e.tool = k.tool
where length(e.session_id) > k.file_name_has and k.file_name_has > 0
group by coalesce(e.machine_id, ''), e.tool, left(e.session_id, k.file_name_has)
union all
select
    coalesce(e.machine_id, '') as machine, e.tool, e.session_id, min(e.parent_session_id) as parent,
    false as is_alias, true as is_separate
from base.events as e
join base.capabilities as k on e.tool = k.tool
where k.thrown_refusal <> '' and e.parent_session_id <> e.session_id
group by coalesce(e.machine_id, ''), e.tool, e.session_id
union all
select
    coalesce(machine_id, '') as machine, tool, child_session_id as session_id,
    min(session_id) as parent, false as is_alias, true as is_separate
from base.events
where event_type = 'Action.After' and child_session_id <> session_id
group by coalesce(machine_id, ''), tool, child_session_id
