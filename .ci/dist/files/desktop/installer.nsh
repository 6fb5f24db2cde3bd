; The station of the desktop program has its data in a folder for all users of the machine. Uninstalling leaves it.
!macro customInstall
  SetShellVarContext all
  CreateDirectory "$APPDATA\Waypost\station"
  ; SYSTEM and the administrators, and users of this machine; by numbers that every language of Windows knows.
  nsExec::ExecToLog 'icacls.exe "$APPDATA\Waypost\station" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F *S-1-5-32-545:(OI)(CI)M'
  Pop $0
!macroend
