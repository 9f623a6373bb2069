# Where telemetry goes, for all users: /etc/profile.d/hookstream-telemetry.sh, root:root 0644.
# A variable that the shell holds already wins over a repository's .env, .gemini/.env and .qwen/.env,
# which could send a client's telemetry elsewhere. A user can still unset it. Without the protocol both
# clients speak gRPC, which port 4318 does not.
export GEMINI_TELEMETRY_ENABLED=true
export GEMINI_TELEMETRY_TARGET=local
export GEMINI_TELEMETRY_OTLP_ENDPOINT=http://127.0.0.1:4318
export GEMINI_TELEMETRY_OTLP_PROTOCOL=http
export GEMINI_TELEMETRY_LOG_PROMPTS=false
export QWEN_TELEMETRY_ENABLED=true
export QWEN_TELEMETRY_TARGET=local
export QWEN_TELEMETRY_OTLP_ENDPOINT=http://127.0.0.1:4318
export QWEN_TELEMETRY_OTLP_PROTOCOL=http
export QWEN_TELEMETRY_LOG_PROMPTS=false
export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
