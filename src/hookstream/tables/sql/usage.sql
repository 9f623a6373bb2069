-- Tokens of each session by day and model; counted: in responses, or where a session has none in
-- sub-agents' results (of these in one place alone), or none at all.
with
silent as (
    select
        session, min("timestamp") as first_seen, max("timestamp") as last_seen,
        max(user_id) as user_id, max(repo) as repo
    from base.keyed_stream
    group by all
    having not bool_or(input_tokens is not null or output_tokens is not null)
        and bool_or(event_type in ('Prompt.Submitted', 'Action.Before'))
)
select
    machine, machine_id, user_id, tool, session_id, cast("timestamp" as date) as day, model_id,
    counted, repo, project, count(*) as answers,
    cast(sum(input_tokens) as bigint) as input_tokens,
    cast(sum(output_tokens) as bigint) as output_tokens,
    cast(sum(cache_read_tokens) as bigint) as cache_read_tokens,
    min("timestamp") as first_seen, max("timestamp") as last_seen
from base.token_counts
where counted <> 'running total'
group by all
union all by name
select
    machine, nullif(machine, '') as machine_id, user_id, tool, session_id,
    cast(first_seen as date) as day, 'none' as counted, repo, project, 0 as answers, first_seen,
    last_seen
from silent join base.numbers using (session)
left join (select machine, tool, session_id, project from base.sessions)
    using (machine, tool, session_id)
