-- The first time a client's hooks are seen on a machine, and those of the machine's settings.
select
    machine, tool,
    min(first_at) filter (assurance in ('managed_hooks', 'user_hooks', 'project_hooks', 'hooks'))
        as any_at,
    min(first_at) filter (assurance = 'managed_hooks') as managed_at
from base.sessions
group by machine, tool
