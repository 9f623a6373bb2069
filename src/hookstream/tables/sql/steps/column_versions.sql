select count(distinct columns) from (
    select file_name, sum(hash(name, type, num_children, converted_type, logical_type)) as columns
    from parquet_schema(getvariable('parts')) group by file_name
)
