create or replace table base.capabilities (
    tool varchar, silence_means varchar, only_after_question boolean, batch_names_refusals boolean,
    silent_categories varchar[], silent_otherwise varchar, silent_refuser varchar, goes_on_within_s double,
    turn_goes_on boolean, confirms_compactions boolean, answers_name_prompts boolean,
    thrown_refusal varchar, shows_execution varchar, file_name_has integer, has_mods boolean,
    waits_for_answer boolean, answers_for_user varchar, unasked_mode varchar,
    totals_are_rests boolean
)
