<#
.SYNOPSIS
  Runs the Waypost station of this folder as a service: a task of the Task Scheduler that starts with Windows.
.DESCRIPTION
  service.ps1 install | start | stop | status | remove, as an administrator.
  The station runs as LOCAL SERVICE. Its data lies in %ProgramData%\Waypost\station, its settings in station.json
  there. `remove` leaves the data.
#>
param([Parameter(Mandatory)][ValidateSet('install', 'start', 'stop', 'status', 'remove')][string]$Do)
$ErrorActionPreference = 'Stop'
$Name = 'Waypost station'
$Data = Join-Path $env:ProgramData 'Waypost\station'
$Node = Join-Path $PSScriptRoot 'bin\node.exe'
$Program = Join-Path $PSScriptRoot 'dist\server\cli.js'

function Stop-Station {
  # Disabled first: the task would start it again within a minute. What was acknowledged is on the disk.
  Disable-ScheduledTask -TaskName $Name | Out-Null
  Stop-ScheduledTask -TaskName $Name
}

switch ($Do) {
  'install' {
    New-Item -ItemType Directory -Force -Path $Data | Out-Null
    # SYSTEM, the administrators and LOCAL SERVICE, by numbers that every language of Windows knows.
    & icacls.exe $Data /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-19:(OI)(CI)M' | Out-Null
    if ($LASTEXITCODE -ne 0) { throw "The access to $Data could not be set." }
    $action = New-ScheduledTaskAction -Execute $Node -Argument "`"$Program`" serve --data `"$Data`"" -WorkingDirectory $PSScriptRoot
    # Every minute as well: a station that ended is started again; while it runs, the task ignores a second start.
    $triggers = @(
      (New-ScheduledTaskTrigger -AtStartup),
      (New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 1))
    )
    $principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-19' -LogonType ServiceAccount
    $settings = New-ScheduledTaskSettingsSet -MultipleInstances IgnoreNew -ExecutionTimeLimit (New-TimeSpan) `
      -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries -StartWhenAvailable -Priority 4
    Register-ScheduledTask -TaskName $Name -Action $action -Trigger $triggers -Principal $principal -Settings $settings `
      -Description 'Station of the dispatch console Waypost' -Force | Out-Null
    Start-ScheduledTask -TaskName $Name
    Write-Output "The station runs. Set the password of its administrator: .\waypost.cmd user password admin"
  }
  'start' {
    Enable-ScheduledTask -TaskName $Name | Out-Null
    Start-ScheduledTask -TaskName $Name
  }
  'stop' { Stop-Station }
  'status' {
    Get-ScheduledTask -TaskName $Name | Get-ScheduledTaskInfo | Format-List TaskName, LastRunTime, LastTaskResult
    & (Join-Path $PSScriptRoot 'waypost.cmd') health
  }
  'remove' {
    Stop-Station
    Unregister-ScheduledTask -TaskName $Name -Confirm:$false
    Write-Output "The data of the station stays in $Data until you delete it."
  }
}
