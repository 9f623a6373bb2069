# Intune detection: a word on standard output and status 0 where everything is in place.
$program = 'C:\Program Files\hookstream\Scripts\hookstream.exe'
$policy = Join-Path $env:ProgramData 'hookstream\config.toml'
if (-not (Test-Path $program)) { exit 1 }
& $program config check $policy | Out-Null
if ($LASTEXITCODE -ne 0) { exit 1 }
Write-Output 'installed'
exit 0
