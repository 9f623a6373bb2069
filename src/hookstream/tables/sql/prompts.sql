-- One row per prompt of a person.
select
    p.machine_id, k.user_id, p.tool, p.session_id, p.agent_id, p.turn_id, p.event_id,
    p."timestamp", p.sequence, p.prompt_hash, p.prompt_length, p.input_source, p.is_followup,
    p.permission_mode, p.agent_mode, p.cwd, p.repo, p.tool_version, p.model_id,
    list_distinct(list_prepend(p.event_id, p.other_evidence)) as evidence,
    list_sort(list_distinct(list_prepend(coalesce(p.witness, 'hook'), p.other_witnesses)))
        as witnesses,
    coalesce(p.secrets, []) as secrets,
    p.risk_score, p.place, p.machine
from base.stream as p
join base.known as k using (machine, tool, session_id)
where p.event_type = 'Prompt.Submitted'
