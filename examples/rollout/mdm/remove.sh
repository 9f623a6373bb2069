#!/bin/sh
# Run as root by the MDM: hooks first, program last.
set -eu
program=${HOOKSTREAM_PROGRAM:-/opt/hookstream/bin/hookstream}
policy=/etc/hookstream
[ "$(uname)" != Darwin ] || policy="/Library/Application Support/hookstream"
clients="claude-code codex copilot cursor gemini-cli opencode qwen-code windsurf"

if [ -x "$program" ]; then
  # shellcheck disable=SC2086
  "$program" uninstall $clients --scope managed
fi
rm -f "$policy/config.toml" "$policy/fleet.key" "$policy/centre.token"
rmdir "$policy" 2>/dev/null || :
