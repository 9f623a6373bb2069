-- Which plugins and mods a client loaded, whose they are, and what they did to calls and hooks.
-- by: machine
-- keys: tool mod
-- shows: first_seen tool mod scope managed machines users sessions denied answered rewritten replaced silenced prevented
-- One row per client and mod. A mod is a function inside the client (Claude Code): it can deny a
-- call, answer it in the tool's place, rewrite it, replace its result, and answer a hook's event so
-- that no hook sees it. scope: managed, user, project, marketplace or builtin; managed: whether the
-- organization installed it (null: nothing says whose it is). Deeds of a mod that no witness names are in the
-- row without a name. silenced counts hooks' events, prevented those that a managed guard gave to the
-- hooks all the same. loaded: sessions in which the client reported it; a plugin that only holds
-- hooks or skills is loaded too, and telemetry also reports one that a policy then refused.
with
deeds as (
    select
        machine, machine_id, user_id, tool, session_id, guardian as mod, guardian_scope as scope,
        first_at as moment, witnesses,
        outcome = 'denied' and decided_by = 'mod' as denied, outcome = 'answered' as answered,
        requested_command is not null and guardian_scope is not null as rewritten,
        told_output_hash is not null as replaced, 0 as silenced, false as loaded
    from derived.calls
    where (decided_by is not distinct from 'mod' or guardian_scope is not null
        or outcome = 'answered' or told_output_hash is not null)
        and heard(first_at, session_id)
),
found as (
    from deeds
    union all by name
    select
        machine, machine_id, user_id, tool, session_id, guardian as mod, guardian_scope as scope,
        first_at as moment, [evidence] as witnesses, times as silenced
    from derived.silenced
    where heard(first_at, session_id)
    union all by name
    select
        machine, machine_id, user_id, tool, session_id, plugin as mod, scope, first_at as moment,
        witnesses, loaded, prevented
    from derived.plugins
    where heard(first_at, session_id)
)
select
    tool, mod, max(scope) as scope, max(scope) = 'managed' as managed,
    count(distinct (machine, session_id)) filter (loaded) as loaded,
    count(distinct (machine, session_id)) as sessions, count(distinct machine_id) as machines, count(distinct user_id) as users,
    count(*) filter (denied) as denied, count(*) filter (answered) as answered,
    count(*) filter (rewritten) as rewritten, count(*) filter (replaced) as replaced,
    coalesce(sum(silenced), 0)::bigint as silenced, coalesce(sum(prevented), 0)::bigint as prevented,
    min(moment) as first_seen, max(moment) as last_seen,
    list_sort(list_distinct(flatten(list(witnesses)))) as witnesses,
    by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
from found
group by all
order by first_seen desc, tool, mod nulls last, machine_id, user_id
