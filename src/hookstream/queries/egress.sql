-- Where data could go: hosts that URLs and command lines name, how often, and when first seen.
-- by: machine
-- keys: host
-- shows: host via machines users calls ran denied internal first_seen last_seen max_risk example
-- One row per host. via: url (a web tool), or what of the command line names the host (command: a URL
-- or the target of curl and wget; ssh, socket). `internal` marks loopback, private
-- and link-local addresses. What only looks like a host is left out: files, buckets, git remotes.
select * exclude (known_before),
    not bool_or(known_before) over (partition by host) as is_new
from (
    select
        host, names_by_machine(tool) as tool, names_by_machine(via) as via,
        count(distinct machine_id) as machines, count(distinct user_id) as users,
        count(*) filter (heard(first_at, session_id)) as calls,
        count(*) filter (ran and heard(first_at, session_id)) as ran,
        count(*) filter (outcome = 'denied' and heard(first_at, session_id)) as denied,
        count(distinct (machine, tool, session_id)) filter (heard(first_at, session_id)) as sessions,
        min(first_at) as first_seen, max(last_at) as last_seen, any_value(internal) as internal,
        max(risk_score) as max_risk, arg_min(said, (first_at, said)) as example,
        bool_or(is_before(first_at, session_id)) as known_before,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
    from derived.destinations
    group by all
)
qualify sessions > 0
order by internal, first_seen desc, host, tool, via, machine_id, user_id
