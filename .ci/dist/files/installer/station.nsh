; The station without a window: a service of Windows, which the program installs itself.
!define COMMAND '"$INSTDIR\bin\node.exe" "$INSTDIR\dist\server\cli.js" service'

; A program in use cannot be replaced. 1060: there is no such service.
!macro endProgram
  nsExec::Exec '"$SYSDIR\sc.exe" query WaypostStation'
  Pop $0
  ${If} $0 == 0
    DetailPrint "$(STOPPING)"
    nsExec::ExecToLog '${COMMAND} stop'
    Pop $0
    ${If} $0 != 0
      !insertmacro fail "$(SERVICE_STAYS)" ${EXIT_IN_USE}
    ${EndIf}
  ${EndIf}
!macroend

!macro afterInstall
  CreateDirectory "$SMPROGRAMS\${TITLE}"
  CreateShortCut "$SMPROGRAMS\${TITLE}\$(TERMINAL).lnk" "$SYSDIR\cmd.exe" '/k ""$INSTDIR\waypost.cmd" help"' \
    "$INSTDIR\uninstall.exe"
  DetailPrint "$(STARTING)"
  nsExec::ExecToLog '${COMMAND} install --data "${DATA}"'
  Pop $0
  ${If} $0 != 0
    !insertmacro fail "$(SERVICE_FAILED)" ${EXIT_SERVICE}
  ${EndIf}
!macroend

!macro beforeUninstall
  nsExec::Exec '"$SYSDIR\sc.exe" query WaypostStation'
  Pop $0
  ${If} $0 == 0
    nsExec::ExecToLog '${COMMAND} remove'
    Pop $0
    ${If} $0 != 0
      !insertmacro fail "$(SERVICE_STAYS)" ${EXIT_IN_USE}
    ${EndIf}
  ${EndIf}
  RMDir /r "$SMPROGRAMS\${TITLE}"
!macroend
