!macro text NAME ENGLISH RUSSIAN
  LangString ${NAME} ${LANG_ENGLISH} "${ENGLISH}"
  LangString ${NAME} ${LANG_RUSSIAN} "${RUSSIAN}"
!macroend
!insertmacro text FOLDER_NOT_EMPTY \
  "The folder $INSTDIR holds other things. Choose an empty one." \
  "В папке $INSTDIR есть другие файлы. Выберите пустую."
!insertmacro text DATA_STAYS \
  "The data in $APPDATA\Waypost stays until you delete it." \
  "Данные в $APPDATA\Waypost остаются, пока вы их не удалите."
!ifdef STATION
  !insertmacro text STOPPING "The station ends…" "Станция завершается…"
  !insertmacro text STARTING "The station starts…" "Станция запускается…"
  !insertmacro text TERMINAL "Waypost Station terminal" "Терминал станции Waypost"
  !insertmacro text SERVICE_STAYS \
    "The service of the station does not end. Stop it, and start again." \
    "Служба станции не завершается. Остановите её и начните снова."
  !insertmacro text SERVICE_FAILED \
    "The program is installed, but its service does not start. $APPDATA\Waypost\station\service.log says why." \
    "Программа установлена, но её служба не запускается. Причина записана в $APPDATA\Waypost\station\service.log."
!else
  !insertmacro text CLOSE_FIRST \
    "Waypost runs. Close it for every user of this machine, and start again." \
    "Waypost работает. Закройте её у всех пользователей этой машины и начните снова."
!endif
