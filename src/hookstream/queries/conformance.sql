-- What each client's stream really showed of AARTS, Agent Hooks and guardians' hooks, by version.
-- shows: tool tool_version sessions aarts_level missing_for_next_level event_types_silent hook_points_silent
-- One row a client and version. It says what arrived, and claims nothing of the client: a hook that
-- is not registered, or an action that was never taken, is silent too. aarts_level: 0 to 3, the highest
-- level of AARTS 0.1 of which every hook point, tool category and decision arrived;
-- aarts_level_of_hook_points: the same of hook points alone. missing_for_next_level: what did not
-- arrive. event_types, hook_points: what arrived; with _silent: what
-- the client's hooks are documented to give (`hookstream vendors NAME`) and never gave. ask_resolved:
-- the answer to a question arrived. provenance: an action named the sub-agent or session it came
-- from. aos_hooks_silent, prisma_hooks_silent: of the 15 hooks of AOS and the hooks of the Prisma
-- AIRS plugin's generation that was seen (prisma-airs-guard logs nothing); null where none of them
-- was ever heard.
with
levels(level, kind, name) as (
    values
        (1, 'hook point', 'SessionStart'), (1, 'hook point', 'PreToolUse'),
        (2, 'hook point', 'PrePluginLoad'), (2, 'hook point', 'PreSkillLoad'),
        (2, 'hook point', 'PostInputProcessing'), (2, 'hook point', 'PreLLMRequest'),
        (2, 'hook point', 'PostToolUse'), (2, 'hook point', 'PostAskResolution'),
        (3, 'hook point', 'SessionEnd'), (3, 'hook point', 'PreMCPConnect'),
        (3, 'hook point', 'PreUserInput'), (3, 'hook point', 'PostLLMResponse'),
        (3, 'hook point', 'PreCompact'), (3, 'hook point', 'PostCompact'),
        (3, 'hook point', 'PreToolInputModification'), (3, 'hook point', 'PreSubAgentSpawn'),
        (3, 'hook point', 'PostSubAgentResult'), (3, 'hook point', 'PreOutputDeliver'),
        (3, 'hook point', 'PreMemoryWrite'), (3, 'hook point', 'PreMemoryRead'),
        (1, 'tool', 'shell'), (1, 'tool', 'file_write'), (1, 'tool', 'file_edit'),
        (1, 'tool', 'web_request'), (1, 'tool', 'mcp_call'), (1, 'tool', 'package_install'),
        (2, 'tool', 'file_read'), (2, 'tool', 'file_delete'), (2, 'tool', 'code_exec'),
        (2, 'tool', 'browser'), (2, 'tool', 'database'), (2, 'tool', 'delegate'),
        (1, 'decision', 'allow'), (1, 'decision', 'deny'), (2, 'decision', 'ask'),
        (2, 'provenance', 'of a sub-agent')
),
versions as (
    select coalesce(machine_id, '') as machine, tool, session_id, max(tool_version) as tool_version
    from derived.sessions
    group by all
),
seen as (
    select c.*, v.tool_version
    from derived.coverage as c
    left join versions as v
        on coalesce(c.machine_id, '') = v.machine and c.tool = v.tool and c.session_id = v.session_id
),
calls as (
    select c.tool, v.tool_version, c.action_category, c.agent_id, c.parent_session_id
    from derived.calls as c
    left join versions as v
        on coalesce(c.machine_id, '') = v.machine and c.tool = v.tool and c.session_id = v.session_id
),
decided as (
    select d.tool, v.tool_version, d.decision
    from derived.decisions as d
    left join versions as v
        on coalesce(d.machine_id, '') = v.machine and d.tool = v.tool and d.session_id = v.session_id
    where d.decision is not null
),
arrived as (
    select tool, tool_version, 'hook point' as kind, hook_point as name
    from seen where hook_point is not null
    union
    select tool, tool_version, 'tool', action_category from calls where action_category is not null
    union
    select tool, tool_version, 'decision', decision from decided
    union
    select tool, tool_version, 'provenance', 'of a sub-agent'
    from calls where agent_id is not null or parent_session_id is not null
),
clients as (
    select
        tool, tool_version, cast(sum(events) as bigint) as events,
        count(distinct (machine, session_id)) as sessions, count(distinct machine) as machines,
        min(first_seen) as first_seen, max(last_seen) as last_seen,
        list_sort(list(distinct event_type)) as types, list_sort(list(distinct vendor)) as vendors,
        coalesce(list_sort(list(distinct hook_point) filter (hook_point is not null)), [])
            as hook_points
    from seen
    group by tool, tool_version
),
missing as (
    select
        c.tool, c.tool_version, l.level,
        list(l.kind || ' ' || l.name order by l.kind, l.name) filter (a.name is null) as names,
        bool_or(a.name is null and l.kind = 'hook point') as lacks_hook_points
    from clients as c
    cross join levels as l
    left join arrived as a on a.tool = c.tool
        and a.tool_version is not distinct from c.tool_version and a.kind = l.kind and a.name = l.name
    group by c.tool, c.tool_version, l.level
),
reached as (
    select
        tool, tool_version, coalesce(min(level) filter (names is not null), 4) - 1 as aarts_level,
        coalesce(min(level) filter (lacks_hook_points), 4) - 1 as aarts_level_of_hook_points
    from missing
    group by tool, tool_version
),
documented as (
    select
        s.tool, s.tool_version, d.kind,
        list_sort(list(distinct d.name)) as names
    from (select distinct tool, tool_version, vendor from seen) as s
    join base.documented as d on s.vendor = d.vendor
    group by s.tool, s.tool_version, d.kind
),
heard as (
    select
        s.tool, s.tool_version, g.vendor, g.generation, g.hook,
        bool_or(
            s.native_event is not null
            and (g.native_event is null or g.native_event = s.native_event)
            and (g.event_type is null or g.event_type = s.event_type)
        ) as is_heard
    from seen as s
    join base.guardian_hooks as g on s.vendor = g.vendor
    group by s.tool, s.tool_version, g.vendor, g.generation, g.hook
),
silent as (
    select h.tool, h.tool_version, h.vendor, list_sort(list(h.hook) filter (not h.is_heard)) as hooks
    from heard as h
    semi join (from heard where is_heard) as k on h.tool = k.tool
        and h.tool_version is not distinct from k.tool_version and h.vendor = k.vendor
        and h.generation = k.generation
    group by h.tool, h.tool_version, h.vendor
)
select
    c.tool, c.tool_version, c.sessions, c.events, r.aarts_level, r.aarts_level_of_hook_points,
    coalesce(m.names, []) as missing_for_next_level,
    list_filter(c.types, lambda name: not starts_with(name, 'vendor.')) as event_types,
    list_filter(coalesce(t.names, []), lambda name: not list_contains(c.types, name))
        as event_types_silent,
    c.hook_points,
    list_filter(coalesce(p.names, []), lambda name: not list_contains(c.hook_points, name))
        as hook_points_silent,
    coalesce((
        select list_sort(list(a.name)) from arrived as a where a.tool = c.tool
            and a.tool_version is not distinct from c.tool_version and a.kind = 'tool'
    ), []) as tool_categories,
    coalesce((
        select list_sort(list(a.name)) from arrived as a where a.tool = c.tool
            and a.tool_version is not distinct from c.tool_version and a.kind = 'decision'
    ), []) as decisions,
    list_contains(c.hook_points, 'PostAskResolution') as ask_resolved,
    exists (
        select 1 from arrived as a where a.tool = c.tool
            and a.tool_version is not distinct from c.tool_version and a.kind = 'provenance'
    ) as provenance,
    case when o.tool is not null then coalesce(o.hooks, []) end as aos_hooks_silent,
    case when q.tool is not null then coalesce(q.hooks, []) end as prisma_hooks_silent,
    c.vendors, c.machines, c.first_seen, c.last_seen
from clients as c
join reached as r on r.tool = c.tool and r.tool_version is not distinct from c.tool_version
left join missing as m on m.tool = c.tool and m.tool_version is not distinct from c.tool_version
    and m.level = r.aarts_level + 1
left join documented as t on t.tool = c.tool and t.tool_version is not distinct from c.tool_version
    and t.kind = 'event_type'
left join documented as p on p.tool = c.tool and p.tool_version is not distinct from c.tool_version
    and p.kind = 'hook_point'
left join silent as o on o.tool = c.tool and o.tool_version is not distinct from c.tool_version
    and o.vendor = 'aos'
left join silent as q on q.tool = c.tool and q.tool_version is not distinct from c.tool_version
    and q.vendor = 'prisma-airs'
order by c.tool, c.tool_version
