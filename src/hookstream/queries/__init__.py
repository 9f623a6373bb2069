"""Questions an analyst asks, in SQL over the `events` view: Parquet or JSON lines alike."""
