-- Prompts that no person typed, of witnesses that do not show it: another calls the same prompt, by
-- its turn or its message, the notice of a background task.
select p.machine, p.event_id, min(n.event_id) as notice_id
from base.told as p
join base.told as n on p.machine = n.machine and p.tool = n.tool and p.session_id = n.session_id
    and p.believed <> n.believed
    and (p.turn_id = n.turn_id or p.message_id = n.message_id)
where p.event_type = 'Prompt.Submitted'
    and starts_with(n.event_type, 'vendor.') and ends_with(n.event_type, '.TaskNotification')
group by p.machine, p.event_id
