-- The bill: tokens and their cost by day, project, client, model and user, and how far to trust it.
-- shows: date project tool model_id answers input_tokens output_tokens cache_read_tokens cost_usd trust why
-- project is the repository, else the folder. cost_usd is the client's own figure where it reports
-- one (cost_from: client), else by the price of your file, else by a list price.
-- trust: exact, each answer as its client counted it; approximate; partial, some of it is known to
-- be missing; unknown, no price. why says it in words.
-- Sessions that report no tokens are in `usage`.
select
    "date", project, tool, model_id, answers, input as input_tokens, output as output_tokens,
    cache_read as cache_read_tokens, cache_write as cache_write_tokens,
    round(cost_usd, 6) as cost_usd, trust, why, cost_from, counted, repo, machine_id, user_id
from usage_costs
order by "date" desc, cost_usd desc nulls last, project, tool, model_id, counted, repo, machine_id,
    user_id
