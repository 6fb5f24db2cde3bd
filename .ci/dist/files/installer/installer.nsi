; The installer of a Windows program, for all users of the machine. `installer.mjs` defines the names in capitals and
; writes `files.nsh`, which lists the tree. Removing never touches data.
Unicode true
Target ${TARGET}
ManifestDPIAware true
RequestExecutionLevel admin
; Times in the packages depend on the commit alone.
SetDateSave off
Name "${TITLE}"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\${TITLE}"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${KEY}"
!define DATA "$APPDATA\Waypost\station"

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include files.nsh
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
; Windows' language chooses; the first one holds for every other language.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Russian"
!include texts.nsh

VIProductVersion "${NUMBERS}"
VIAddVersionKey /LANG=0 ProductName "${TITLE}"
VIAddVersionKey /LANG=0 ProductVersion "${VERSION}"
VIAddVersionKey /LANG=0 FileVersion "${VERSION}"
VIAddVersionKey /LANG=0 FileDescription "${TITLE}"
VIAddVersionKey /LANG=0 LegalCopyright "The Waypost authors"
!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"'
!endif

; Says a text, also in the log of a silent run, and ends with an exit code of its own.
!macro fail TEXT CODE
  DetailPrint "${TEXT}"
  MessageBox MB_OK|MB_ICONSTOP "${TEXT}" /SD IDOK
  SetErrorLevel ${CODE}
  Quit
!macroend
!define EXIT_FOLDER 3
!define EXIT_IN_USE 4
!define EXIT_SERVICE 5

!ifdef STATION
  !include station.nsh
!else
  !include desktop.nsh
!endif

Function .onInit
  SetRegView 64
  SetShellVarContext all
  ; An update goes where the program is, unless /D= names a folder.
  ReadRegStr $0 HKLM "${UNINSTALL}" "InstallLocation"
  ${If} $0 != ""
  ${AndIf} $INSTDIR == "$PROGRAMFILES64\${TITLE}"
    StrCpy $INSTDIR $0
  ${EndIf}
FunctionEnd

Section
  ; An update removes whole folders of the former version: they must be ours.
  ${IfNot} ${FileExists} "$INSTDIR\uninstall.exe"
    ${DirState} "$INSTDIR" $0
    ${If} $0 == 1
      !insertmacro fail "$(FOLDER_NOT_EMPTY)" ${EXIT_FOLDER}
    ${EndIf}
  ${Else}
    !insertmacro endProgram
    !insertmacro removeTree
  ${EndIf}
  !insertmacro installTree
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "${TITLE}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayIcon" "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL}" "Publisher" "The Waypost authors"
  WriteRegStr HKLM "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKLM "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL}" "NoRepair" 1
  !insertmacro afterInstall
SectionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext all
FunctionEnd

Section Uninstall
  !insertmacro beforeUninstall
  !insertmacro removeTree
  Delete "$INSTDIR\uninstall.exe"
  SetOutPath "$TEMP"
  RMDir "$INSTDIR"
  DeleteRegKey HKLM "${UNINSTALL}"
  DetailPrint "$(DATA_STAYS)"
SectionEnd
