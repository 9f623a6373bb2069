-- One row a call and package that its install command names, also inside a longer command line.
with
-- Each text is taken apart once, however often it ran.
parts as (
    select command, trim(unnest(regexp_split_to_array(command, '&&|\|\||[;|&\n]'))) as part
    from (select distinct command from whole.calls where command is not null)
    where regexp_matches(
        command,
        '\b(?:pip3?|pipx|uv|poetry|npm|pnpm|yarn|bun|cargo|gem|go|apt|apt-get|brew|dnf|yum|apk|conda|npx|uvx|bunx)\b'
    )
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
),
found as (
    select distinct command, manager, trim(package, '''"') as package
    from listed
    where package <> '' and not starts_with(package, '-') and package not in ('.', '\')
)
select
    c.machine_id, c.user_id, c.tool, c.session_id, c.call_id, p.manager, p.package, c.command,
    c.outcome, c.ran, c.first_at, c.last_at, c.machine, c.call, c.instance
from whole.calls as c
join found as p on c.command = p.command
