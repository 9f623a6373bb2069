-- What was installed: packages that install commands name, also inside longer command lines.
-- One row a client, package manager and package as written (with its version or tag). A list of
-- requirements is no package name.
with
installing as (
    from derived.calls
    where regexp_matches(
        command,
        '\b(?:pip3?|pipx|uv|poetry|npm|pnpm|yarn|bun|cargo|gem|go|apt|apt-get|brew|dnf|yum|apk|conda|npx|uvx|bunx)\b'
    )
),
parts as (
    select
        c.machine_id, c.user_id, c.tool, c.session_id, c.call, c.instance, c.first_at, c.last_at, c.ran, c.outcome,
        c.command,
        trim(unnest(regexp_split_to_array(c.command, '&&|\|\||[;|&\n]'))) as part
    from installing as c
    where c.command is not null
),
matched as (
    select
        *,
        regexp_extract(
            part,
            '^(?:sudo\s+(?:-\S+\s+)*)?(?:[A-Z_]\w*=\S*\s+)*(?:\S*/)?(?:python[\d.]*\s+-m\s+)?(pip|pip3|pipx|uv|poetry|npm|pnpm|yarn|bun|cargo|gem|go|apt|apt-get|brew|dnf|yum|apk|conda|npx|uvx|bunx)\s+(.*)$',
            ['manager', 'rest']
        ) as install
    from parts
),
worded as (
    select
        * exclude (install),
        install['manager'] as manager,
        case
            when install['manager'] in ('npx', 'uvx', 'bunx')
                then regexp_extract(install['rest'], '^(?:-\S+\s+)*([^-\s]\S*)', 1)
            else regexp_extract(
                install['rest'],
                '^(?:-\S+\s+)*(?:pip\s+|tool\s+|global\s+)?(?:install|add|i|get)\s+(.*)$', 1
            )
        end as words
    from matched
    where install['manager'] <> ''
),
listed as (
    select
        * exclude (words),
        unnest(regexp_split_to_array(
            -- options that take a value, then what is redirected
            regexp_replace(
                regexp_replace(
                    words,
                    '(?:^|\s)(?:-r|-c|-t|-i|-e|--requirement|--constraint|--target|--index-url|--extra-index-url|--registry|--prefix|--python|-p|-n|--channel)[= ]\S+',
                    ' ', 'g'
                ),
                '(?:^|\s)\d?>+\s*\S+', ' ', 'g'
            ),
            '\s+'
        )) as package
    from worded
    where words <> ''
)
select
    tool, manager, trim(package, '''"') as package,
    count(distinct (session_id, call, instance)) filter (within(first_at)) as calls,
    count(distinct (session_id, call, instance)) filter (ran and within(first_at)) as ran,
    count(distinct (session_id, call, instance)) filter (outcome = 'denied' and within(first_at))
        as denied,
    count(distinct session_id) filter (within(first_at)) as sessions,
    min(first_at) as first_seen, max(last_at) as last_seen,
    arg_min(command, first_at) as example, machine_id, user_id,
    min(min(first_at)) over (partition by manager, trim(package, '''"')) >= cast(getvariable('f_since') as timestamp) as is_new
from listed
where package <> '' and not starts_with(package, '-') and package not in ('.', '\')
group by machine_id, user_id, tool, manager, trim(package, '''"')
having count(*) filter (within(first_at)) > 0
order by first_seen, tool, manager, package, machine_id, user_id
