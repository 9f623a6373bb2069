-- What the hooks of a client show on a machine and for a user, whatever its sessions are: after
-- events (of all tools, and of each by name), successes, failures, batches, turns.
select machine, user_id, tool, shows, action_native, count(*) as sessions
from (
    select
        machine, user_id, tool,
        unnest(list_concat(
            list_filter(
                [
                    {'shows': case when has_after then 'after' end, 'action_native': null::varchar},
                    {'shows': case when has_ok then 'ok' end, 'action_native': null},
                    {'shows': case when has_failed then 'failed' end, 'action_native': null},
                    {'shows': case when has_batch then 'batch' end, 'action_native': null},
                    {'shows': case when has_turns then 'turns' end, 'action_native': null},
                    {'shows': case when has_before then 'before' end, 'action_native': null}
                ],
                lambda one: one['shows'] is not null
            ),
            list_transform(
                after_natives, lambda native: {'shows': 'after', 'action_native': native}
            )
        ), recursive := true)
    from whole.known
)
group by all
