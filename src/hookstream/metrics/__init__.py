"""hookstream's own figures: named once, shown to Prometheus or sent by OTLP."""
