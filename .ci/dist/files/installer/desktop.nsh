; The desktop program. Its station has its data in a folder for all users of the machine.

; Windows opens no program for writing while it runs.
!macro endProgram
  ${If} ${FileExists} "$INSTDIR\Waypost.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\Waypost.exe" a
    ${If} ${Errors}
      !insertmacro fail "$(CLOSE_FIRST)" ${EXIT_IN_USE}
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

!macro afterInstall
  CreateShortCut "$SMPROGRAMS\${TITLE}.lnk" "$INSTDIR\Waypost.exe"
  CreateShortCut "$DESKTOP\${TITLE}.lnk" "$INSTDIR\Waypost.exe"
  ; Data of a station that is a service belong to its account alone.
  nsExec::Exec '"$SYSDIR\sc.exe" query WaypostStation'
  Pop $0
  ${If} $0 != 0
    CreateDirectory "${DATA}"
    ; SYSTEM and the administrators, and users of this machine; by numbers that every language of Windows knows.
    nsExec::ExecToLog '"$SYSDIR\icacls.exe" "${DATA}" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F \
      *S-1-5-32-544:(OI)(CI)F *S-1-5-32-545:(OI)(CI)M'
    Pop $0
  ${EndIf}
!macroend

!macro beforeUninstall
  !insertmacro endProgram
  Delete "$SMPROGRAMS\${TITLE}.lnk"
  Delete "$DESKTOP\${TITLE}.lnk"
!macroend
