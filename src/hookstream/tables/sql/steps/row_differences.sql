-- Each row of one, and of the other, as often as it occurs.
select count(*) from (
    (from {stored} except all from {derived}) union all (from {derived} except all from {stored})
)
