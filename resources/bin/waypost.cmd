@echo off
rem The waypost command of the installed desktop program. cmd waits for the program because this file calls it, and gets
rem its exit code. The program writes to the terminal. It cannot ask there: give it a password through a pipe.
rem     echo NEW-PASSWORD| waypost user password anna
setlocal
set "PROGRAM=%~dp0Waypost.exe"
if not exist "%PROGRAM%" set "PROGRAM=%~dp0..\..\..\..\Waypost.exe"
"%PROGRAM%" %*
exit /b %errorlevel%
