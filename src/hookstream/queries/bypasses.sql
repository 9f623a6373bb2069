-- A denied action reached another way: by another spelling, another action, or a script.
-- time: timestamp
-- shows: timestamp tool target link what outcome session_id denied_native action_native
-- One row a denied action and the first later action of its session that is not the same (that one
-- is `executed_afterwards` in denies) and is linked to it. link: target (both name the same file,
-- URL or host), effect (another command with the same effect, such as a forced push in another
-- spelling) or script (a file written after the refusal, then run). `target` is what links them; a
-- file is the same however it is spelled: absolute, relative to the folder, from `~`, quoted, by a
-- redirection, a copy or a move. A program that was refused with some arguments is not reached by
-- a call with others.
with
refused as (
    select
        machine, machine_id, user_id, tool, session_id, event_id as deny_id,
        "timestamp" as deny_at, deny_place, agent_id, call, instance, action_fingerprint, certainty,
        decided_by as denied_by, decision_reason as deny_reason, action_name, action_native,
        command, file_path, url, paths_about, paths_spelled,
        list_filter(effects, lambda e: e not in (
            'delete', 'network', 'archive', 'agent_started', 'package_install', 'data_sent'
        )) as effects
    from derived.denies
),
targets as (
    -- The last part of a target is in each text that names it.
    select r.*, 'target' as link, t.target, regexp_extract(t.target, '[^/]*/*$') as last_part
    from refused as r,
        lateral (
            select distinct unnest(flatten([
                [r.file_path, r.url], r.paths_about, r.paths_spelled,
                regexp_extract_all(r.command, '[a-z][a-z0-9+.-]*://[^\s''"<>|;&()]+'),
                regexp_extract_all(r.command, '(?:~|\.{1,2})?/?(?:[\w.@%+-]+/)+[\w.@%+-]+'),
                regexp_extract_all(r.command, '[\w-]*\.[A-Za-z][\w.-]*\w')
            ])) as target
        ) as t
    where length(t.target) >= 5
        and t.target not in ('/dev/null', '/tmp/', '/usr/bin', '/bin/bash', '/bin/sh')
),
later as (
    select
        *, concat_ws(' ', command, file_path, url, array_to_string(paths_named, ' ')) as texts,
        len(paths_patterns) > 0 as has_patterns
    from derived.calls semi join refused using (machine, tool, session_id)
    where ran
),
-- Files written after a refusal that a later command names.
scripts as (
    select
        r.*, 'script' as link, regexp_extract(replace(w.file_path, '\', '/'), '[^/]+$') as target,
        w.last_place as from_place
    from refused as r
    join later as w on r.machine = w.machine and r.tool = w.tool and r.session_id = w.session_id
        and w.first_place > r.deny_place and w.action_category in ('file_write', 'file_edit')
    where r.command is not null and regexp_matches(
        w.file_path, '(?i)\.(?:sh|bash|zsh|py|js|mjs|ts|rb|pl|php|ps1|bat|cmd)$'
    )
),
linked as (
    select t.*, t.deny_place as from_place from targets as t
    union all by name
    select r.*, 'effect' as link, unnest(r.effects) as target, r.deny_place as from_place
    from refused as r
    union all by name
    select * from scripts
),
reached as (
    select
        t.*, l.call_id as by_call_id, l.action_name as by_action_name,
        l.action_native as by_action_native, l.command as by_command, l.file_path as by_file_path,
        l.url as by_url, l.outcome, l.first_at as reached_at, l.first_place as reached_place,
        l.call as by_call
    from linked as t
    join later as l
        on t.machine = l.machine and t.tool = l.tool and t.session_id = l.session_id
        -- Another agent's by more than clocks can tell (`ran_after`).
        and l.first_place > t.from_place
            + case when l.agent_id is not distinct from t.agent_id then 0 else 409600000 end
        and l.action_fingerprint is distinct from t.action_fingerprint
        and (l.call is distinct from t.call or l.instance <> t.instance)
        -- A program that was refused with some arguments may run with others.
        and not coalesce(
            t.link = 'target' and ends_with(split_part(t.command, ' ', 1), t.last_part)
            and ends_with(split_part(l.command, ' ', 1), t.last_part)
            and not list_has_all(split(l.command, ' '), split(t.command, ' ')[2:]), false)
        and (t.last_part is null or l.has_patterns or contains(l.texts, t.last_part))
        and case t.link
            when 'effect' then list_contains(l.effects, t.target)
            when 'script' then l.command is not null and contains(l.command, t.target)
            else (
                list_contains(l.paths_named, t.target)
                or len(list_filter(l.paths_patterns, lambda one: t.target ~~~ one)) > 0
                -- Where the working folder is not known.
                or (starts_with(t.target, '/') and len(list_filter(l.paths_named, lambda one:
                    length(one) >= 5 and ends_with(t.target, '/' || one))) > 0)
                or (contains(l.command, t.target) and regexp_matches(
                    l.command, '(?:^|[^\w./-]|//|\w[@:])' || regexp_escape(t.target)
                        || '(?:$|[^\w.-]|\.(?:$|\W))'
                ))
                or contains(l.file_path, t.target)
                or contains(l.url, t.target)
                or (length(l.file_path) >= 5 and ends_with(t.target, '/' || l.file_path))
            )
        end
)
select
    reached_at as "timestamp", tool, session_id, target, action_name as denied_action,
    action_native as denied_native, command as denied_command, denied_by as decided_by,
    deny_reason as decision_reason, certainty, deny_at as denied_at, deny_id as denied_event_id,
    by_action_name as action_name, by_action_native as action_native, by_command as command,
    by_file_path as file_path, by_url as url, by_call_id as call_id, outcome,
    link, machine_id, user_id,
    coalesce(by_command, by_file_path, by_url, by_action_native) as what
from reached
qualify row_number() over (
    partition by machine, tool, session_id, deny_id
    order by link <> 'target', reached_place, by_call, length(target) desc, target
) = 1
order by "timestamp" desc, tool, session_id, denied_event_id
