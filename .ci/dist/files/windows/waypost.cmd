@echo off
rem The command of the station on Windows. Without --data or WAYPOST_DATA it means the data of the service.
setlocal
if "%WAYPOST_DATA%"=="" set "WAYPOST_DATA=%ProgramData%\Waypost\station"
"%~dp0bin\node.exe" "%~dp0dist\server\cli.js" %*
exit /b %ERRORLEVEL%
