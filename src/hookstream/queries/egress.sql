-- Where data could go: hosts that URLs and command lines name, how often, and when first seen.
-- shows: host tool via calls ran denied internal first_seen max_risk example
-- One row a client, host and way: url (a web tool), or what of the command line names the host
-- (command: a URL or the target of curl and wget; ssh, socket). `internal` marks loopback, private
-- and link-local addresses. What only looks like a host is left out: files, buckets, git remotes.
select
    tool, host, via, count(*) filter (within(first_at)) as calls,
    count(*) filter (ran and within(first_at)) as ran,
    count(*) filter (outcome = 'denied' and within(first_at)) as denied,
    count(distinct session_id) filter (within(first_at)) as sessions,
    min(first_at) as first_seen, max(last_at) as last_seen, any_value(internal) as internal,
    max(risk_score) as max_risk, arg_min(said, (first_at, said)) as example,
    machine_id, user_id,
    min(min(first_at)) over (partition by host) >= cast(getvariable('f_since') as timestamp) as is_new
from derived.destinations
group by machine_id, user_id, tool, host, via
qualify count(*) filter (within(first_at)) > 0
order by internal, first_seen, tool, host, via, machine_id, user_id
