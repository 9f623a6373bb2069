-- What guardians and hosts say that they made of the input of calls.
select machine, tool, session_id, event_id, about, call_id, guardian, own_fingerprint as wanted
from base.stream
where ends_with(event_type, '.ToolInputModified') and (guardian is not null or derived is not true)
    and modified and own_fingerprint is not null
