"""Capabilities of a client's hooks for an action, and the meaning of their silence: data in the
client's table, which questions read next to the evidence of each machine."""

from __future__ import annotations


class Capabilities:
    """Properties of a client's hooks where all of them are registered.

    silence_means         of a before event without an after event, where after events of that tool
                          are captured: "refused" or "nothing"
    silent_refuser        who refuses in silence, if it is always the same
    only_after_question   silence means that only after a question that was put to the user
    batch_names_refusals  ... or where no batches are captured: a batch would name what was refused
    silent_categories     ... or for actions of these categories, except commands that match
    silent_otherwise      this pattern, whose after event comes under another name or not at all,
    goes_on_within_s      and only if the turn continues within N seconds: what runs on in
                          the background is silent too
    turn_goes_on          the turn continues after a refusal: if the program ends or starts next,
                          the action was interrupted
    confirms_compactions  an event follows a compaction that happened
    answers_name_prompts  an answer says which prompt it answers, and whether a hook asked for more
    thrown_refusal        native event of an error that a hook threw, without the call's id: with a
                          call that failed in its words, a refusal of that call
    shows_execution       ... but where telemetry has an event of that call that begins so
    waits_for_answer      a question holds its call until a user answers it
    unasked_mode          a mode in which hooks report questions that no person gets; those that a
                          person gets are in the session file
    answers_for_user      who answers in a session that no person attends, in a person's words
    has_mods              functions inside the client may refuse a call, answer it or rewrite it
                          before any hook is asked: an entry of a batch without a before event
                          was decided there
    pairs_lone            its payloads have no call ids, and every call of a tool has its before
                          event: an after event with an input that none of them had belongs to the
                          call that began alone, and shows what its arguments became
    file_name_has         how much of a session's id the names of its files have, where a file may
                          lack its header; 0: all of it
    totals_are_rests      its `UsageTotals` are what a session took beyond the responses in its file
    """

    def __init__(
        self,
        *,
        silence_means: str = "nothing",
        only_after_question: bool = False,
        batch_names_refusals: bool = False,
        silent_categories: tuple[str, ...] = (),
        silent_otherwise: str = "",
        silent_refuser: str = "",
        goes_on_within_s: float | None = None,
        turn_goes_on: bool = False,
        confirms_compactions: bool = True,
        answers_name_prompts: bool = False,
        thrown_refusal: str = "",
        shows_execution: str = "",
        pairs_lone: bool = False,
        file_name_has: int = 0,
        has_mods: bool = False,
        waits_for_answer: bool = False,
        unasked_mode: str = "",
        answers_for_user: str = "client",
        totals_are_rests: bool = False,
    ) -> None:
        self.silence_means = silence_means
        self.only_after_question = only_after_question
        self.batch_names_refusals = batch_names_refusals
        self.silent_categories = silent_categories
        self.silent_otherwise = silent_otherwise
        self.silent_refuser = silent_refuser
        self.goes_on_within_s = goes_on_within_s
        self.turn_goes_on = turn_goes_on
        self.confirms_compactions = confirms_compactions
        self.answers_name_prompts = answers_name_prompts
        self.thrown_refusal = thrown_refusal
        self.shows_execution = shows_execution
        self.pairs_lone = pairs_lone
        self.file_name_has = file_name_has
        self.has_mods = has_mods
        self.waits_for_answer = waits_for_answer
        self.unasked_mode = unasked_mode
        self.answers_for_user = answers_for_user
        self.totals_are_rests = totals_are_rests
