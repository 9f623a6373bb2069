#!/bin/sh
# What the inventory keeps of a machine (Jamf: an extension attribute): ok, or what is wrong.
program=${HOOKSTREAM_PROGRAM:-/opt/hookstream/bin/hookstream}
policy=/etc/hookstream/config.toml
[ "$(uname)" != Darwin ] || policy="/Library/Application Support/hookstream/config.toml"
if [ ! -x "$program" ]; then
  echo "<result>no program</result>"
elif said=$("$program" config check "$policy" 2>&1); then
  echo "<result>ok $("$program" --version)</result>"
else
  echo "<result>policy: $(echo "$said" | head -n 1 | tr -d '<>&')</result>"
fi
