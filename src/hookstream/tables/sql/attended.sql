-- Sessions of which it is known whether a person attends them, by their own marks or, of a
-- sub-agent's, by those of the session that started it; and who answers there in a person's words.
select
    k.machine, k.tool, k.session_id, coalesce(k.attended, p.attended) as is_attended,
    coalesce(c.answers_for_user, 'client') as answers_for_user
from base.known as k
left join base.known as p on k.machine = p.machine and k.tool = p.tool
    and k.parent_session_id = p.session_id
left join base.capabilities as c on k.tool = c.tool
where coalesce(k.attended, p.attended) is not null
