# Run as SYSTEM by Intune; config.toml, fleet.key, centre.token and follow.xml lie beside it. The paths
# in config.toml have to be Windows ones.
$ErrorActionPreference = 'Stop'
$program = 'C:\Program Files\hookstream'
$policy = Join-Path $env:ProgramData 'hookstream'
$clients = 'claude-code', 'codex', 'copilot', 'cursor', 'gemini-cli', 'opencode', 'qwen-code', 'windsurf'

& py -3 -m venv $program
& "$program\Scripts\pip.exe" install --quiet 'hookstream==0.3.0'

New-Item -ItemType Directory -Force $policy | Out-Null
& icacls $policy /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-32-545:(OI)(CI)RX' | Out-Null
Copy-Item (Join-Path $PSScriptRoot 'config.toml'), (Join-Path $PSScriptRoot 'fleet.key'), (Join-Path $PSScriptRoot 'centre.token') $policy

& "$program\Scripts\hookstream.exe" install @clients --scope managed
& schtasks /Create /F /TN 'hookstream\follow' /XML (Join-Path $PSScriptRoot 'follow.xml')
