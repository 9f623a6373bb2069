create or replace view stored.{table} as
from read_parquet(getvariable('files_{table}'), hive_partitioning = false)
