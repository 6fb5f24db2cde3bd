/**
 * The requests and answers of the interface, from /openapi.json. Generated: do not edit, run `npm run api`.
 */

export interface paths {
    readonly "/.well-known/acme-challenge/{token}": {
        readonly parameters: {
        };
        readonly get: operations["getWellKnownAcmeChallengeByToken"];
    };
    readonly "/alarms": {
        readonly parameters: {
        };
        readonly get: operations["getAlarms"];
    };
    readonly "/alarms/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getAlarmsById"];
    };
    readonly "/alarms/{id}/acknowledge": {
        readonly parameters: {
        };
        readonly post: operations["postAlarmsByIdAcknowledge"];
    };
    readonly "/alarms/{id}/assign": {
        readonly parameters: {
        };
        readonly post: operations["postAlarmsByIdAssign"];
    };
    readonly "/alarms/{id}/shelve": {
        readonly parameters: {
        };
        readonly post: operations["postAlarmsByIdShelve"];
    };
    readonly "/alarms/{id}/unshelve": {
        readonly parameters: {
        };
        readonly post: operations["postAlarmsByIdUnshelve"];
    };
    readonly "/alarms/rules": {
        readonly parameters: {
        };
        readonly get: operations["getAlarmsRules"];
        readonly put: operations["putAlarmsRules"];
    };
    readonly "/alarms/silence": {
        readonly parameters: {
        };
        readonly post: operations["postAlarmsSilence"];
    };
    readonly "/alarms/stats": {
        readonly parameters: {
        };
        readonly get: operations["getAlarmsStats"];
    };
    readonly "/alarms/summary": {
        readonly parameters: {
        };
        readonly get: operations["getAlarmsSummary"];
    };
    readonly "/alerts.atom": {
        readonly parameters: {
        };
        readonly get: operations["getAlertsAtom"];
    };
    readonly "/alerts/{id}.cap": {
        readonly parameters: {
        };
        readonly get: operations["getAlertsByIdCap"];
    };
    readonly "/asyncapi.json": {
        readonly parameters: {
        };
        readonly get: operations["getAsyncapiJson"];
    };
    readonly "/audit": {
        readonly parameters: {
        };
        readonly get: operations["getAudit"];
    };
    readonly "/audit/export": {
        readonly parameters: {
        };
        readonly get: operations["getAuditExport"];
    };
    readonly "/audit/verify": {
        readonly parameters: {
        };
        readonly get: operations["getAuditVerify"];
    };
    readonly "/auth/account": {
        readonly parameters: {
        };
        readonly get: operations["getAuthAccount"];
    };
    readonly "/auth/keys": {
        readonly parameters: {
        };
        readonly get: operations["getAuthKeys"];
        readonly post: operations["postAuthKeys"];
    };
    readonly "/auth/keys/{id}": {
        readonly parameters: {
        };
        readonly delete: operations["deleteAuthKeysById"];
    };
    readonly "/auth/login": {
        readonly parameters: {
        };
        readonly post: operations["postAuthLogin"];
    };
    readonly "/auth/logout": {
        readonly parameters: {
        };
        readonly post: operations["postAuthLogout"];
    };
    readonly "/auth/methods": {
        readonly parameters: {
        };
        readonly get: operations["getAuthMethods"];
    };
    readonly "/auth/oidc": {
        readonly parameters: {
        };
        readonly get: operations["getAuthOidc"];
    };
    readonly "/auth/oidc/callback": {
        readonly parameters: {
        };
        readonly get: operations["getAuthOidcCallback"];
    };
    readonly "/auth/oidc/hand-over": {
        readonly parameters: {
        };
        readonly post: operations["postAuthOidcHandOver"];
    };
    readonly "/auth/passkey": {
        readonly parameters: {
        };
        readonly post: operations["postAuthPasskey"];
    };
    readonly "/auth/passkey/challenge": {
        readonly parameters: {
        };
        readonly post: operations["postAuthPasskeyChallenge"];
    };
    readonly "/auth/passkeys": {
        readonly parameters: {
        };
        readonly get: operations["getAuthPasskeys"];
        readonly post: operations["postAuthPasskeys"];
    };
    readonly "/auth/passkeys/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putAuthPasskeysById"];
    };
    readonly "/auth/passkeys/{id}/remove": {
        readonly parameters: {
        };
        readonly post: operations["postAuthPasskeysByIdRemove"];
    };
    readonly "/auth/passkeys/begin": {
        readonly parameters: {
        };
        readonly post: operations["postAuthPasskeysBegin"];
    };
    readonly "/auth/password": {
        readonly parameters: {
        };
        readonly post: operations["postAuthPassword"];
    };
    readonly "/auth/pin": {
        readonly parameters: {
        };
        readonly post: operations["postAuthPin"];
    };
    readonly "/auth/preferences": {
        readonly parameters: {
        };
        readonly get: operations["getAuthPreferences"];
        readonly put: operations["putAuthPreferences"];
    };
    readonly "/auth/sessions": {
        readonly parameters: {
        };
        readonly get: operations["getAuthSessions"];
    };
    readonly "/auth/sessions/end": {
        readonly parameters: {
        };
        readonly post: operations["postAuthSessionsEnd"];
    };
    readonly "/auth/totp": {
        readonly parameters: {
        };
        readonly post: operations["postAuthTotp"];
    };
    readonly "/auth/totp/confirm": {
        readonly parameters: {
        };
        readonly post: operations["postAuthTotpConfirm"];
    };
    readonly "/auth/totp/remove": {
        readonly parameters: {
        };
        readonly post: operations["postAuthTotpRemove"];
    };
    readonly "/auth/unlock": {
        readonly parameters: {
        };
        readonly post: operations["postAuthUnlock"];
    };
    readonly "/backups": {
        readonly parameters: {
        };
        readonly get: operations["getBackups"];
        readonly post: operations["postBackups"];
    };
    readonly "/backups/{id}/restore": {
        readonly parameters: {
        };
        readonly post: operations["postBackupsByIdRestore"];
    };
    readonly "/backups/copies": {
        readonly parameters: {
        };
        readonly post: operations["postBackupsCopies"];
    };
    readonly "/board": {
        readonly parameters: {
        };
        readonly get: operations["getBoard"];
    };
    readonly "/board/news/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getBoardNewsById"];
    };
    readonly "/call-protocols": {
        readonly parameters: {
        };
        readonly get: operations["getCallProtocols"];
        readonly post: operations["postCallProtocols"];
    };
    readonly "/call-protocols/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCallProtocolsById"];
        readonly put: operations["putCallProtocolsById"];
        readonly delete: operations["deleteCallProtocolsById"];
    };
    readonly "/calls": {
        readonly parameters: {
        };
        readonly get: operations["getCalls"];
        readonly post: operations["postCalls"];
    };
    readonly "/calls/{id}/end": {
        readonly parameters: {
        };
        readonly post: operations["postCallsByIdEnd"];
    };
    readonly "/calls/{id}/take": {
        readonly parameters: {
        };
        readonly post: operations["postCallsByIdTake"];
    };
    readonly "/capabilities": {
        readonly parameters: {
        };
        readonly get: operations["getCapabilities"];
        readonly post: operations["postCapabilities"];
    };
    readonly "/capabilities/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCapabilitiesById"];
        readonly put: operations["putCapabilitiesById"];
        readonly delete: operations["deleteCapabilitiesById"];
    };
    readonly "/cars": {
        readonly parameters: {
        };
        readonly get: operations["getCars"];
        readonly post: operations["postCars"];
    };
    readonly "/cars.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getCarsXlsx"];
    };
    readonly "/cars/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCarsById"];
        readonly put: operations["putCarsById"];
        readonly delete: operations["deleteCarsById"];
    };
    readonly "/cars/{id}/commands": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdCommands"];
        readonly post: operations["postCarsByIdCommands"];
    };
    readonly "/cars/{id}/commands/{commandId}": {
        readonly parameters: {
        };
        readonly delete: operations["deleteCarsByIdCommandsByCommandId"];
    };
    readonly "/cars/{id}/heard": {
        readonly parameters: {
        };
        readonly post: operations["postCarsByIdHeard"];
    };
    readonly "/cars/{id}/pic": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdPic"];
        readonly put: operations["putCarsByIdPic"];
        readonly delete: operations["deleteCarsByIdPic"];
    };
    readonly "/cars/{id}/sensors/values": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdSensorsValues"];
    };
    readonly "/cars/{id}/status": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdStatus"];
        readonly put: operations["putCarsByIdStatus"];
    };
    readonly "/cars/{id}/thumb": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdThumb"];
    };
    readonly "/cars/{id}/track": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdTrack"];
        readonly post: operations["postCarsByIdTrack"];
    };
    readonly "/cars/{id}/track/csv": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdTrackCsv"];
    };
    readonly "/cars/{id}/track/geojson": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdTrackGeojson"];
    };
    readonly "/cars/{id}/track/gpx": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdTrackGpx"];
    };
    readonly "/cars/{id}/track/kml": {
        readonly parameters: {
        };
        readonly get: operations["getCarsByIdTrackKml"];
    };
    readonly "/cars/count": {
        readonly parameters: {
        };
        readonly get: operations["getCarsCount"];
    };
    readonly "/cars/customfields": {
        readonly parameters: {
        };
        readonly get: operations["getCarsCustomfields"];
        readonly post: operations["postCarsCustomfields"];
    };
    readonly "/cars/customfields/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCarsCustomfieldsById"];
        readonly put: operations["putCarsCustomfieldsById"];
        readonly delete: operations["deleteCarsCustomfieldsById"];
    };
    readonly "/cars/groups": {
        readonly parameters: {
        };
        readonly get: operations["getCarsGroups"];
        readonly post: operations["postCarsGroups"];
    };
    readonly "/cars/groups/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCarsGroupsById"];
        readonly put: operations["putCarsGroupsById"];
        readonly delete: operations["deleteCarsGroupsById"];
    };
    readonly "/cars/marks": {
        readonly parameters: {
        };
        readonly get: operations["getCarsMarks"];
        readonly post: operations["postCarsMarks"];
    };
    readonly "/cars/marks/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCarsMarksById"];
        readonly put: operations["putCarsMarksById"];
        readonly delete: operations["deleteCarsMarksById"];
    };
    readonly "/cars/marks/{id}/models": {
        readonly parameters: {
        };
        readonly get: operations["getCarsMarksByIdModels"];
    };
    readonly "/cars/models": {
        readonly parameters: {
        };
        readonly get: operations["getCarsModels"];
        readonly post: operations["postCarsModels"];
    };
    readonly "/cars/models.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getCarsModelsXlsx"];
    };
    readonly "/cars/models/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCarsModelsById"];
        readonly put: operations["putCarsModelsById"];
        readonly delete: operations["deleteCarsModelsById"];
    };
    readonly "/cars/models/count": {
        readonly parameters: {
        };
        readonly get: operations["getCarsModelsCount"];
    };
    readonly "/cars/tags": {
        readonly parameters: {
        };
        readonly get: operations["getCarsTags"];
        readonly post: operations["postCarsTags"];
    };
    readonly "/cars/tags/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCarsTagsById"];
        readonly put: operations["putCarsTagsById"];
        readonly delete: operations["deleteCarsTagsById"];
    };
    readonly "/category": {
        readonly parameters: {
        };
        readonly get: operations["getCategory"];
        readonly post: operations["postCategory"];
    };
    readonly "/category/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putCategoryById"];
        readonly delete: operations["deleteCategoryById"];
    };
    readonly "/changes": {
        readonly parameters: {
        };
        readonly get: operations["getChanges"];
    };
    readonly "/citizens/form": {
        readonly parameters: {
        };
        readonly get: operations["getCitizensForm"];
    };
    readonly "/citizens/photos": {
        readonly parameters: {
        };
        readonly post: operations["postCitizensPhotos"];
    };
    readonly "/citizens/place": {
        readonly parameters: {
        };
        readonly get: operations["getCitizensPlace"];
    };
    readonly "/citizens/places": {
        readonly parameters: {
        };
        readonly get: operations["getCitizensPlaces"];
    };
    readonly "/citizens/reports": {
        readonly parameters: {
        };
        readonly post: operations["postCitizensReports"];
    };
    readonly "/citizens/reports/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCitizensReportsById"];
    };
    readonly "/citizens/tiles/{z}/{x}/{y}.mvt": {
        readonly parameters: {
        };
        readonly get: operations["getCitizensTilesByZByXByYMvt"];
    };
    readonly "/closures": {
        readonly parameters: {
        };
        readonly get: operations["getClosures"];
        readonly post: operations["postClosures"];
    };
    readonly "/closures.ics": {
        readonly parameters: {
        };
        readonly get: operations["getClosuresIcs"];
    };
    readonly "/closures/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getClosuresById"];
        readonly put: operations["putClosuresById"];
        readonly delete: operations["deleteClosuresById"];
    };
    readonly "/closures/preview": {
        readonly parameters: {
        };
        readonly post: operations["postClosuresPreview"];
    };
    readonly "/crew/actions": {
        readonly parameters: {
        };
        readonly post: operations["postCrewActions"];
    };
    readonly "/crew/files": {
        readonly parameters: {
        };
        readonly post: operations["postCrewFiles"];
    };
    readonly "/crew/positions": {
        readonly parameters: {
        };
        readonly post: operations["postCrewPositions"];
    };
    readonly "/crew/sign-in": {
        readonly parameters: {
        };
        readonly post: operations["postCrewSignIn"];
    };
    readonly "/crew/sign-out": {
        readonly parameters: {
        };
        readonly post: operations["postCrewSignOut"];
    };
    readonly "/crew/state": {
        readonly parameters: {
        };
        readonly get: operations["getCrewState"];
    };
    readonly "/crew/tasks/{taskId}/files/{fileId}": {
        readonly parameters: {
        };
        readonly get: operations["getCrewTasksByTaskIdFilesByFileId"];
    };
    readonly "/crew/tiles/{z}/{x}/{y}.mvt": {
        readonly parameters: {
        };
        readonly get: operations["getCrewTilesByZByXByYMvt"];
    };
    readonly "/crew/way": {
        readonly parameters: {
        };
        readonly get: operations["getCrewWay"];
    };
    readonly "/crews/codes": {
        readonly parameters: {
        };
        readonly post: operations["postCrewsCodes"];
    };
    readonly "/crews/messages": {
        readonly parameters: {
        };
        readonly get: operations["getCrewsMessages"];
        readonly post: operations["postCrewsMessages"];
    };
    readonly "/crews/messages/{id}/read": {
        readonly parameters: {
        };
        readonly post: operations["postCrewsMessagesByIdRead"];
    };
    readonly "/crews/sessions": {
        readonly parameters: {
        };
        readonly get: operations["getCrewsSessions"];
    };
    readonly "/crews/sessions/{id}": {
        readonly parameters: {
        };
        readonly delete: operations["deleteCrewsSessionsById"];
    };
    readonly "/custom_field": {
        readonly parameters: {
        };
        readonly post: operations["postCustomField"];
    };
    readonly "/custom_field/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getCustomFieldById"];
        readonly put: operations["putCustomFieldById"];
        readonly delete: operations["deleteCustomFieldById"];
    };
    readonly "/custom_field/{id}/restore": {
        readonly parameters: {
        };
        readonly post: operations["postCustomFieldByIdRestore"];
    };
    readonly "/custom_field/sort": {
        readonly parameters: {
        };
        readonly post: operations["postCustomFieldSort"];
    };
    readonly "/department_files/dif_files/{name}": {
        readonly parameters: {
        };
        readonly get: operations["getDepartmentFilesDifFilesByName"];
    };
    readonly "/department_files/news_category/{name}": {
        readonly parameters: {
        };
        readonly get: operations["getDepartmentFilesNewsCategoryByName"];
    };
    readonly "/department_files/photos/{name}": {
        readonly parameters: {
        };
        readonly get: operations["getDepartmentFilesPhotosByName"];
    };
    readonly "/department_files/sounds/{name}": {
        readonly parameters: {
        };
        readonly get: operations["getDepartmentFilesSoundsByName"];
    };
    readonly "/department_files/video/{name}": {
        readonly parameters: {
        };
        readonly get: operations["getDepartmentFilesVideoByName"];
    };
    readonly "/dictionary/icons": {
        readonly parameters: {
        };
        readonly get: operations["getDictionaryIcons"];
        readonly post: operations["postDictionaryIcons"];
    };
    readonly "/dictionary/icons/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putDictionaryIconsById"];
        readonly delete: operations["deleteDictionaryIconsById"];
    };
    readonly "/dictionary/icons/{id}/view": {
        readonly parameters: {
        };
        readonly get: operations["getDictionaryIconsByIdView"];
    };
    readonly "/dictionary/icons/editable": {
        readonly parameters: {
        };
        readonly get: operations["getDictionaryIconsEditable"];
    };
    readonly "/dispatch/settings": {
        readonly parameters: {
        };
        readonly get: operations["getDispatchSettings"];
        readonly put: operations["putDispatchSettings"];
    };
    readonly "/docs": {
        readonly parameters: {
        };
        readonly get: operations["getDocs"];
    };
    readonly "/drivers": {
        readonly parameters: {
        };
        readonly get: operations["getDrivers"];
        readonly post: operations["postDrivers"];
    };
    readonly "/drivers.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getDriversXlsx"];
    };
    readonly "/drivers/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getDriversById"];
        readonly put: operations["putDriversById"];
        readonly delete: operations["deleteDriversById"];
    };
    readonly "/drivers/{id}/photo": {
        readonly parameters: {
        };
        readonly get: operations["getDriversByIdPhoto"];
        readonly put: operations["putDriversByIdPhoto"];
        readonly delete: operations["deleteDriversByIdPhoto"];
    };
    readonly "/drivers/all": {
        readonly parameters: {
        };
        readonly get: operations["getDriversAll"];
    };
    readonly "/duties": {
        readonly parameters: {
        };
        readonly post: operations["postDuties"];
    };
    readonly "/duties/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putDutiesById"];
    };
    readonly "/duties/{id}/end": {
        readonly parameters: {
        };
        readonly post: operations["postDutiesByIdEnd"];
    };
    readonly "/duties/{id}/roll": {
        readonly parameters: {
        };
        readonly post: operations["postDutiesByIdRoll"];
    };
    readonly "/eido": {
        readonly parameters: {
        };
        readonly post: operations["postEido"];
    };
    readonly "/events": {
        readonly parameters: {
        };
        readonly get: operations["getEvents"];
    };
    readonly "/events/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getEventsById"];
    };
    readonly "/events/last": {
        readonly parameters: {
        };
        readonly get: operations["getEventsLast"];
    };
    readonly "/events/replay": {
        readonly parameters: {
        };
        readonly get: operations["getEventsReplay"];
        readonly post: operations["postEventsReplay"];
    };
    readonly "/events/settings": {
        readonly parameters: {
        };
        readonly get: operations["getEventsSettings"];
        readonly put: operations["putEventsSettings"];
    };
    readonly "/events/settings/cars": {
        readonly parameters: {
        };
        readonly get: operations["getEventsSettingsCars"];
    };
    readonly "/events/settings/cars/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getEventsSettingsCarsById"];
        readonly put: operations["putEventsSettingsCarsById"];
    };
    readonly "/events/types": {
        readonly parameters: {
        };
        readonly get: operations["getEventsTypes"];
    };
    readonly "/fileload": {
        readonly parameters: {
        };
        readonly post: operations["postFileload"];
    };
    readonly "/fileload/{uuid}": {
        readonly parameters: {
        };
        readonly get: operations["getFileloadByUuid"];
        readonly delete: operations["deleteFileloadByUuid"];
    };
    readonly "/fileload/{uuid}/{width}/{height}": {
        readonly parameters: {
        };
        readonly get: operations["getFileloadByUuidByWidthByHeight"];
    };
    readonly "/first-run": {
        readonly parameters: {
        };
        readonly get: operations["getFirstRun"];
        readonly post: operations["postFirstRun"];
    };
    readonly "/first-run/backups": {
        readonly parameters: {
        };
        readonly post: operations["postFirstRunBackups"];
    };
    readonly "/first-run/restore": {
        readonly parameters: {
        };
        readonly post: operations["postFirstRunRestore"];
    };
    readonly "/geocoding": {
        readonly parameters: {
        };
        readonly get: operations["getGeocoding"];
    };
    readonly "/geocoding/batch": {
        readonly parameters: {
        };
        readonly post: operations["postGeocodingBatch"];
    };
    readonly "/geocoding/reverse": {
        readonly parameters: {
        };
        readonly get: operations["getGeocodingReverse"];
    };
    readonly "/geozones": {
        readonly parameters: {
        };
        readonly get: operations["getGeozones"];
        readonly post: operations["postGeozones"];
    };
    readonly "/geozones/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getGeozonesById"];
        readonly put: operations["putGeozonesById"];
        readonly delete: operations["deleteGeozonesById"];
    };
    readonly "/geozones/{id}/versions": {
        readonly parameters: {
        };
        readonly get: operations["getGeozonesByIdVersions"];
    };
    readonly "/health": {
        readonly parameters: {
        };
        readonly get: operations["getHealth"];
    };
    readonly "/imports": {
        readonly parameters: {
        };
        readonly get: operations["getImports"];
    };
    readonly "/imports/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getImportsById"];
    };
    readonly "/imports/{id}/undo": {
        readonly parameters: {
        };
        readonly post: operations["postImportsByIdUndo"];
    };
    readonly "/imports/previews": {
        readonly parameters: {
        };
        readonly post: operations["postImportsPreviews"];
    };
    readonly "/imports/previews/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getImportsPreviewsById"];
        readonly put: operations["putImportsPreviewsById"];
        readonly delete: operations["deleteImportsPreviewsById"];
    };
    readonly "/imports/previews/{id}/confirm": {
        readonly parameters: {
        };
        readonly post: operations["postImportsPreviewsByIdConfirm"];
    };
    readonly "/imports/previews/{id}/rows": {
        readonly parameters: {
        };
        readonly get: operations["getImportsPreviewsByIdRows"];
    };
    readonly "/isochrone": {
        readonly parameters: {
        };
        readonly get: operations["getIsochrone"];
    };
    readonly "/issues/accesses": {
        readonly parameters: {
        };
        readonly get: operations["getIssuesAccesses"];
    };
    readonly "/issues/capabilities": {
        readonly parameters: {
        };
        readonly get: operations["getIssuesCapabilities"];
    };
    readonly "/issues/states": {
        readonly parameters: {
        };
        readonly get: operations["getIssuesStates"];
    };
    readonly "/links": {
        readonly parameters: {
        };
        readonly get: operations["getLinks"];
        readonly post: operations["postLinks"];
    };
    readonly "/links/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putLinksById"];
        readonly delete: operations["deleteLinksById"];
    };
    readonly "/links/challenges": {
        readonly parameters: {
        };
        readonly post: operations["postLinksChallenges"];
    };
    readonly "/links/codes": {
        readonly parameters: {
        };
        readonly post: operations["postLinksCodes"];
    };
    readonly "/links/nearby": {
        readonly parameters: {
        };
        readonly get: operations["getLinksNearby"];
    };
    readonly "/links/pairings": {
        readonly parameters: {
        };
        readonly post: operations["postLinksPairings"];
    };
    readonly "/links/pairings/proof": {
        readonly parameters: {
        };
        readonly post: operations["postLinksPairingsProof"];
    };
    readonly "/locate": {
        readonly parameters: {
        };
        readonly get: operations["getLocate"];
    };
    readonly "/log-book": {
        readonly parameters: {
        };
        readonly get: operations["getLogBook"];
        readonly post: operations["postLogBook"];
    };
    readonly "/log-book.csv": {
        readonly parameters: {
        };
        readonly get: operations["getLogBookCsv"];
    };
    readonly "/log-book.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getLogBookPdf"];
    };
    readonly "/log/app": {
        readonly parameters: {
        };
        readonly get: operations["getLogApp"];
    };
    readonly "/log/app/count": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppCount"];
    };
    readonly "/log/app/levels": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppLevels"];
    };
    readonly "/log/app/levels/count": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppLevelsCount"];
    };
    readonly "/log/app/loggers": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppLoggers"];
    };
    readonly "/log/app/loggers/count": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppLoggersCount"];
    };
    readonly "/log/app/threads": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppThreads"];
    };
    readonly "/log/app/threads/count": {
        readonly parameters: {
        };
        readonly get: operations["getLogAppThreadsCount"];
    };
    readonly "/mailbox/mails": {
        readonly parameters: {
        };
        readonly get: operations["getMailboxMails"];
    };
    readonly "/mailbox/preview": {
        readonly parameters: {
        };
        readonly post: operations["postMailboxPreview"];
    };
    readonly "/mailbox/settings": {
        readonly parameters: {
        };
        readonly get: operations["getMailboxSettings"];
        readonly put: operations["putMailboxSettings"];
    };
    readonly "/match/v1/{profile}/{coordinates}": {
        readonly parameters: {
        };
        readonly get: operations["getMatchV1ByProfileByCoordinates"];
    };
    readonly "/merges": {
        readonly parameters: {
        };
        readonly get: operations["getMerges"];
    };
    readonly "/merges/{id}": {
        readonly parameters: {
        };
        readonly post: operations["postMergesById"];
    };
    readonly "/metrics": {
        readonly parameters: {
        };
        readonly get: operations["getMetrics"];
    };
    readonly "/nearest": {
        readonly parameters: {
        };
        readonly get: operations["getNearest"];
    };
    readonly "/nearest/v1/{profile}/{coordinates}": {
        readonly parameters: {
        };
        readonly get: operations["getNearestV1ByProfileByCoordinates"];
    };
    readonly "/news.ics": {
        readonly parameters: {
        };
        readonly get: operations["getNewsIcs"];
    };
    readonly "/news/": {
        readonly parameters: {
        };
        readonly post: operations["postNews"];
    };
    readonly "/news/{id}/eido": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByIdEido"];
    };
    readonly "/news/{id}/own-places": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByIdOwnPlaces"];
    };
    readonly "/news/{id}/premise-notes": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByIdPremiseNotes"];
    };
    readonly "/news/{newsId}": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsId"];
    };
    readonly "/news/{newsId}/": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsId"];
    };
    readonly "/news/{newsId}/acknowledge": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdAcknowledge"];
    };
    readonly "/news/{newsId}/comments": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdComments"];
        readonly post: operations["postNewsByNewsIdComments"];
    };
    readonly "/news/{newsId}/files": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdFiles"];
    };
    readonly "/news/{newsId}/files/{fileId}": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdFilesByFileId"];
    };
    readonly "/news/{newsId}/history": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdHistory"];
    };
    readonly "/news/{newsId}/links": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdLinks"];
    };
    readonly "/news/{newsId}/links/{otherId}": {
        readonly parameters: {
        };
        readonly delete: operations["deleteNewsByNewsIdLinksByOtherId"];
    };
    readonly "/news/{newsId}/merge": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdMerge"];
        readonly delete: operations["deleteNewsByNewsIdMerge"];
    };
    readonly "/news/{newsId}/pdf": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdPdf"];
    };
    readonly "/news/{newsId}/photos": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdPhotos"];
    };
    readonly "/news/{newsId}/photos/{fileId}": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdPhotosByFileId"];
    };
    readonly "/news/{newsId}/photos/{fileId}/{width}/{height}": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdPhotosByFileIdByWidthByHeight"];
    };
    readonly "/news/{newsId}/point": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdPoint"];
    };
    readonly "/news/{newsId}/proposal": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdProposal"];
    };
    readonly "/news/{newsId}/recommendations": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdRecommendations"];
    };
    readonly "/news/{newsId}/related": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdRelated"];
    };
    readonly "/news/{newsId}/shortdata": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdShortdata"];
    };
    readonly "/news/{newsId}/sounds": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdSounds"];
    };
    readonly "/news/{newsId}/sounds/{fileId}": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdSoundsByFileId"];
    };
    readonly "/news/{newsId}/text": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdText"];
    };
    readonly "/news/{newsId}/units": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdUnits"];
    };
    readonly "/news/{newsId}/units/{carId}": {
        readonly parameters: {
        };
        readonly put: operations["putNewsByNewsIdUnitsByCarId"];
        readonly delete: operations["deleteNewsByNewsIdUnitsByCarId"];
    };
    readonly "/news/{newsId}/units/release": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdUnitsRelease"];
    };
    readonly "/news/{newsId}/update": {
        readonly parameters: {
        };
        readonly put: operations["putNewsByNewsIdUpdate"];
        readonly post: operations["postNewsByNewsIdUpdate"];
    };
    readonly "/news/{newsId}/video": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdVideo"];
    };
    readonly "/news/{newsId}/video/{fileId}": {
        readonly parameters: {
        };
        readonly post: operations["postNewsByNewsIdVideoByFileId"];
    };
    readonly "/news/{newsId}/watch": {
        readonly parameters: {
        };
        readonly put: operations["putNewsByNewsIdWatch"];
        readonly delete: operations["deleteNewsByNewsIdWatch"];
    };
    readonly "/news/{newsId}/watchers": {
        readonly parameters: {
        };
        readonly get: operations["getNewsByNewsIdWatchers"];
    };
    readonly "/news/allowed": {
        readonly parameters: {
        };
        readonly get: operations["getNewsAllowed"];
    };
    readonly "/news/allowed/try": {
        readonly parameters: {
        };
        readonly post: operations["postNewsAllowedTry"];
    };
    readonly "/news/capabilities": {
        readonly parameters: {
        };
        readonly get: operations["getNewsCapabilities"];
    };
    readonly "/news/count": {
        readonly parameters: {
        };
        readonly get: operations["getNewsCount"];
    };
    readonly "/news/custom_fields": {
        readonly parameters: {
        };
        readonly get: operations["getNewsCustomFields"];
    };
    readonly "/news/listAfterId/{newsAfterId}/{limit}": {
        readonly parameters: {
        };
        readonly get: operations["getNewsListAfterIdByNewsAfterIdByLimit"];
    };
    readonly "/news/listAfterId/{newsAfterId}/{limit}/{confirmedType}": {
        readonly parameters: {
        };
        readonly get: operations["getNewsListAfterIdByNewsAfterIdByLimitByConfirmedType"];
    };
    readonly "/news/states": {
        readonly parameters: {
        };
        readonly get: operations["getNewsStates"];
        readonly post: operations["postNewsStates"];
    };
    readonly "/news/states/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putNewsStatesById"];
        readonly delete: operations["deleteNewsStatesById"];
    };
    readonly "/news/stats": {
        readonly parameters: {
        };
        readonly get: operations["getNewsStats"];
    };
    readonly "/newstype": {
        readonly parameters: {
        };
        readonly get: operations["getNewstype"];
        readonly post: operations["postNewstype"];
    };
    readonly "/newstype/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putNewstypeById"];
        readonly delete: operations["deleteNewstypeById"];
    };
    readonly "/newstype/group": {
        readonly parameters: {
        };
        readonly post: operations["postNewstypeGroup"];
    };
    readonly "/newstype/group/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getNewstypeGroupById"];
        readonly put: operations["putNewstypeGroupById"];
        readonly delete: operations["deleteNewstypeGroupById"];
    };
    readonly "/newstype/group/list": {
        readonly parameters: {
        };
        readonly get: operations["getNewstypeGroupList"];
    };
    readonly "/notify/mail": {
        readonly parameters: {
        };
        readonly get: operations["getNotifyMail"];
    };
    readonly "/notify/mail/{id}/retry": {
        readonly parameters: {
        };
        readonly post: operations["postNotifyMailByIdRetry"];
    };
    readonly "/notify/post": {
        readonly parameters: {
        };
        readonly get: operations["getNotifyPost"];
    };
    readonly "/notify/post/{id}/pdf": {
        readonly parameters: {
        };
        readonly get: operations["getNotifyPostByIdPdf"];
    };
    readonly "/notify/post/{id}/printed": {
        readonly parameters: {
        };
        readonly post: operations["postNotifyPostByIdPrinted"];
    };
    readonly "/odata": {
        readonly parameters: {
        };
        readonly get: operations["getOdata"];
    };
    readonly "/odata/$metadata": {
        readonly parameters: {
        };
        readonly get: operations["getOdataMetadata"];
    };
    readonly "/odata/Drivers": {
        readonly parameters: {
        };
        readonly get: operations["getOdataDrivers"];
    };
    readonly "/odata/Drivers/$count": {
        readonly parameters: {
        };
        readonly get: operations["getOdataDriversCount"];
    };
    readonly "/odata/Events": {
        readonly parameters: {
        };
        readonly get: operations["getOdataEvents"];
    };
    readonly "/odata/Events/$count": {
        readonly parameters: {
        };
        readonly get: operations["getOdataEventsCount"];
    };
    readonly "/odata/Tasks": {
        readonly parameters: {
        };
        readonly get: operations["getOdataTasks"];
    };
    readonly "/odata/Tasks/$count": {
        readonly parameters: {
        };
        readonly get: operations["getOdataTasksCount"];
    };
    readonly "/odata/TaskUnits": {
        readonly parameters: {
        };
        readonly get: operations["getOdataTaskUnits"];
    };
    readonly "/odata/TaskUnits/$count": {
        readonly parameters: {
        };
        readonly get: operations["getOdataTaskUnitsCount"];
    };
    readonly "/odata/Vehicles": {
        readonly parameters: {
        };
        readonly get: operations["getOdataVehicles"];
    };
    readonly "/odata/Vehicles/$count": {
        readonly parameters: {
        };
        readonly get: operations["getOdataVehiclesCount"];
    };
    readonly "/ogc": {
        readonly parameters: {
        };
        readonly get: operations["getOgc"];
    };
    readonly "/ogc/collections": {
        readonly parameters: {
        };
        readonly get: operations["getOgcCollections"];
    };
    readonly "/ogc/collections/{collectionId}": {
        readonly parameters: {
        };
        readonly get: operations["getOgcCollectionsByCollectionId"];
    };
    readonly "/ogc/collections/{collectionId}/items": {
        readonly parameters: {
        };
        readonly get: operations["getOgcCollectionsByCollectionIdItems"];
    };
    readonly "/ogc/collections/{collectionId}/items/{featureId}": {
        readonly parameters: {
        };
        readonly get: operations["getOgcCollectionsByCollectionIdItemsByFeatureId"];
    };
    readonly "/ogc/conformance": {
        readonly parameters: {
        };
        readonly get: operations["getOgcConformance"];
    };
    readonly "/open311/v2/discovery.json": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2DiscoveryJson"];
    };
    readonly "/open311/v2/discovery.xml": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2DiscoveryXml"];
    };
    readonly "/open311/v2/requests.json": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2RequestsJson"];
        readonly post: operations["postOpen311V2RequestsJson"];
    };
    readonly "/open311/v2/requests.xml": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2RequestsXml"];
        readonly post: operations["postOpen311V2RequestsXml"];
    };
    readonly "/open311/v2/requests/{id}.json": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2RequestsByIdJson"];
    };
    readonly "/open311/v2/requests/{id}.xml": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2RequestsByIdXml"];
    };
    readonly "/open311/v2/services.json": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2ServicesJson"];
    };
    readonly "/open311/v2/services.xml": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2ServicesXml"];
    };
    readonly "/open311/v2/services/{code}.json": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2ServicesByCodeJson"];
    };
    readonly "/open311/v2/services/{code}.xml": {
        readonly parameters: {
        };
        readonly get: operations["getOpen311V2ServicesByCodeXml"];
    };
    readonly "/openapi.json": {
        readonly parameters: {
        };
        readonly get: operations["getOpenapiJson"];
    };
    readonly "/organizations": {
        readonly parameters: {
        };
        readonly get: operations["getOrganizations"];
        readonly post: operations["postOrganizations"];
    };
    readonly "/organizations/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getOrganizationsById"];
        readonly put: operations["putOrganizationsById"];
        readonly delete: operations["deleteOrganizationsById"];
    };
    readonly "/own-places": {
        readonly parameters: {
        };
        readonly get: operations["getOwnPlaces"];
        readonly post: operations["postOwnPlaces"];
    };
    readonly "/own-places/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getOwnPlacesById"];
        readonly put: operations["putOwnPlacesById"];
        readonly delete: operations["deleteOwnPlacesById"];
    };
    readonly "/own-places/batch": {
        readonly parameters: {
        };
        readonly post: operations["postOwnPlacesBatch"];
    };
    readonly "/own-places/layers": {
        readonly parameters: {
        };
        readonly get: operations["getOwnPlacesLayers"];
    };
    readonly "/pins": {
        readonly parameters: {
        };
        readonly post: operations["postPins"];
    };
    readonly "/pins/{id}": {
        readonly parameters: {
        };
        readonly delete: operations["deletePinsById"];
    };
    readonly "/pins/{id}/done": {
        readonly parameters: {
        };
        readonly post: operations["postPinsByIdDone"];
    };
    readonly "/premise-notes": {
        readonly parameters: {
        };
        readonly get: operations["getPremiseNotes"];
        readonly post: operations["postPremiseNotes"];
    };
    readonly "/premise-notes/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getPremiseNotesById"];
        readonly put: operations["putPremiseNotesById"];
        readonly delete: operations["deletePremiseNotesById"];
    };
    readonly "/presets": {
        readonly parameters: {
        };
        readonly get: operations["getPresets"];
        readonly post: operations["postPresets"];
    };
    readonly "/presets/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getPresetsById"];
        readonly put: operations["putPresetsById"];
        readonly delete: operations["deletePresetsById"];
    };
    readonly "/presets/{id}/restore": {
        readonly parameters: {
        };
        readonly post: operations["postPresetsByIdRestore"];
    };
    readonly "/proposals": {
        readonly parameters: {
        };
        readonly post: operations["postProposals"];
    };
    readonly "/raster-layers": {
        readonly parameters: {
        };
        readonly get: operations["getRasterLayers"];
        readonly post: operations["postRasterLayers"];
    };
    readonly "/raster-layers/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putRasterLayersById"];
        readonly delete: operations["deleteRasterLayersById"];
    };
    readonly "/raster-layers/{id}/{z}/{x}/{y}": {
        readonly parameters: {
        };
        readonly get: operations["getRasterLayersByIdByZByXByY"];
    };
    readonly "/ready": {
        readonly parameters: {
        };
        readonly get: operations["getReady"];
    };
    readonly "/recommendations": {
        readonly parameters: {
        };
        readonly get: operations["getRecommendations"];
    };
    readonly "/replica/{collection}": {
        readonly parameters: {
        };
        readonly get: operations["getReplicaByCollection"];
    };
    readonly "/replica/vehicles/fill": {
        readonly parameters: {
        };
        readonly get: operations["getReplicaVehiclesFill"];
    };
    readonly "/reports/fuel": {
        readonly parameters: {
        };
        readonly get: operations["getReportsFuel"];
    };
    readonly "/reports/fuel.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsFuelCsv"];
    };
    readonly "/reports/fuel.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsFuelPdf"];
    };
    readonly "/reports/fuel.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsFuelXlsx"];
    };
    readonly "/reports/geozones": {
        readonly parameters: {
        };
        readonly get: operations["getReportsGeozones"];
    };
    readonly "/reports/geozones.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsGeozonesCsv"];
    };
    readonly "/reports/geozones.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsGeozonesPdf"];
    };
    readonly "/reports/geozones.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsGeozonesXlsx"];
    };
    readonly "/reports/mileage": {
        readonly parameters: {
        };
        readonly get: operations["getReportsMileage"];
    };
    readonly "/reports/mileage.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsMileageCsv"];
    };
    readonly "/reports/mileage.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsMileagePdf"];
    };
    readonly "/reports/mileage.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsMileageXlsx"];
    };
    readonly "/reports/routes": {
        readonly parameters: {
        };
        readonly get: operations["getReportsRoutes"];
    };
    readonly "/reports/routes.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsRoutesCsv"];
    };
    readonly "/reports/routes.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsRoutesPdf"];
    };
    readonly "/reports/routes.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsRoutesXlsx"];
    };
    readonly "/reports/schedules": {
        readonly parameters: {
        };
        readonly get: operations["getReportsSchedules"];
        readonly post: operations["postReportsSchedules"];
    };
    readonly "/reports/schedules/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putReportsSchedulesById"];
        readonly delete: operations["deleteReportsSchedulesById"];
    };
    readonly "/reports/schedules/{id}/send": {
        readonly parameters: {
        };
        readonly post: operations["postReportsSchedulesByIdSend"];
    };
    readonly "/reports/speeding": {
        readonly parameters: {
        };
        readonly get: operations["getReportsSpeeding"];
    };
    readonly "/reports/speeding.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsSpeedingCsv"];
    };
    readonly "/reports/speeding.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsSpeedingPdf"];
    };
    readonly "/reports/speeding.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsSpeedingXlsx"];
    };
    readonly "/reports/stops": {
        readonly parameters: {
        };
        readonly get: operations["getReportsStops"];
    };
    readonly "/reports/stops.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsStopsCsv"];
    };
    readonly "/reports/stops.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsStopsPdf"];
    };
    readonly "/reports/stops.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsStopsXlsx"];
    };
    readonly "/reports/tasks": {
        readonly parameters: {
        };
        readonly get: operations["getReportsTasks"];
    };
    readonly "/reports/tasks.csv": {
        readonly parameters: {
        };
        readonly get: operations["getReportsTasksCsv"];
    };
    readonly "/reports/tasks.pdf": {
        readonly parameters: {
        };
        readonly get: operations["getReportsTasksPdf"];
    };
    readonly "/reports/tasks.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getReportsTasksXlsx"];
    };
    readonly "/response-plans": {
        readonly parameters: {
        };
        readonly get: operations["getResponsePlans"];
        readonly post: operations["postResponsePlans"];
    };
    readonly "/response-plans/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getResponsePlansById"];
        readonly put: operations["putResponsePlansById"];
        readonly delete: operations["deleteResponsePlansById"];
    };
    readonly "/rights": {
        readonly parameters: {
        };
        readonly get: operations["getRights"];
        readonly post: operations["postRights"];
    };
    readonly "/rights/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getRightsById"];
        readonly put: operations["putRightsById"];
        readonly delete: operations["deleteRightsById"];
    };
    readonly "/route/v1/{profile}/{coordinates}": {
        readonly parameters: {
        };
        readonly get: operations["getRouteV1ByProfileByCoordinates"];
    };
    readonly "/routes": {
        readonly parameters: {
        };
        readonly get: operations["getRoutes"];
        readonly post: operations["postRoutes"];
    };
    readonly "/routes/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getRoutesById"];
        readonly put: operations["putRoutesById"];
        readonly delete: operations["deleteRoutesById"];
    };
    readonly "/routes/{id}/versions": {
        readonly parameters: {
        };
        readonly get: operations["getRoutesByIdVersions"];
    };
    readonly "/sensors": {
        readonly parameters: {
        };
        readonly get: operations["getSensors"];
        readonly post: operations["postSensors"];
    };
    readonly "/sensors/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getSensorsById"];
        readonly put: operations["putSensorsById"];
        readonly delete: operations["deleteSensorsById"];
    };
    readonly "/sensors/{id}/values": {
        readonly parameters: {
        };
        readonly get: operations["getSensorsByIdValues"];
    };
    readonly "/sensors/{id}/versions": {
        readonly parameters: {
        };
        readonly get: operations["getSensorsByIdVersions"];
    };
    readonly "/shifts": {
        readonly parameters: {
        };
        readonly get: operations["getShifts"];
        readonly post: operations["postShifts"];
    };
    readonly "/shifts.ics": {
        readonly parameters: {
        };
        readonly get: operations["getShiftsIcs"];
    };
    readonly "/shifts/{id}/accept": {
        readonly parameters: {
        };
        readonly post: operations["postShiftsByIdAccept"];
    };
    readonly "/shifts/{id}/end": {
        readonly parameters: {
        };
        readonly post: operations["postShiftsByIdEnd"];
    };
    readonly "/shifts/{id}/roll-call": {
        readonly parameters: {
        };
        readonly post: operations["postShiftsByIdRollCall"];
    };
    readonly "/shifts/current": {
        readonly parameters: {
        };
        readonly get: operations["getShiftsCurrent"];
    };
    readonly "/shifts/settings": {
        readonly parameters: {
        };
        readonly get: operations["getShiftsSettings"];
        readonly put: operations["putShiftsSettings"];
    };
    readonly "/sms/hook": {
        readonly parameters: {
        };
        readonly post: operations["postSmsHook"];
    };
    readonly "/sms/key": {
        readonly parameters: {
        };
        readonly post: operations["postSmsKey"];
    };
    readonly "/sms/phones": {
        readonly parameters: {
        };
        readonly get: operations["getSmsPhones"];
    };
    readonly "/sms/phones/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putSmsPhonesById"];
    };
    readonly "/sms/sent": {
        readonly parameters: {
        };
        readonly get: operations["getSmsSent"];
    };
    readonly "/sms/sent/{id}/again": {
        readonly parameters: {
        };
        readonly post: operations["postSmsSentByIdAgain"];
    };
    readonly "/sms/settings": {
        readonly parameters: {
        };
        readonly get: operations["getSmsSettings"];
        readonly put: operations["putSmsSettings"];
    };
    readonly "/sms/test": {
        readonly parameters: {
        };
        readonly post: operations["postSmsTest"];
    };
    readonly "/sms/unknown": {
        readonly parameters: {
        };
        readonly get: operations["getSmsUnknown"];
    };
    readonly "/sms/unknown/{id}": {
        readonly parameters: {
        };
        readonly delete: operations["deleteSmsUnknownById"];
    };
    readonly "/sms/unknown/{id}/car": {
        readonly parameters: {
        };
        readonly post: operations["postSmsUnknownByIdCar"];
    };
    readonly "/speeds": {
        readonly parameters: {
        };
        readonly get: operations["getSpeeds"];
        readonly put: operations["putSpeeds"];
    };
    readonly "/speeds/coverage": {
        readonly parameters: {
        };
        readonly get: operations["getSpeedsCoverage"];
    };
    readonly "/speeds/effect": {
        readonly parameters: {
        };
        readonly get: operations["getSpeedsEffect"];
    };
    readonly "/speeds/rebuild": {
        readonly parameters: {
        };
        readonly post: operations["postSpeedsRebuild"];
    };
    readonly "/speeds/roads": {
        readonly parameters: {
        };
        readonly get: operations["getSpeedsRoads"];
    };
    readonly "/standby": {
        readonly parameters: {
        };
        readonly get: operations["getStandby"];
    };
    readonly "/standby/promotion": {
        readonly parameters: {
        };
        readonly post: operations["postStandbyPromotion"];
    };
    readonly "/statistics/response-times": {
        readonly parameters: {
        };
        readonly get: operations["getStatisticsResponseTimes"];
    };
    readonly "/statistics/response-times.csv": {
        readonly parameters: {
        };
        readonly get: operations["getStatisticsResponseTimesCsv"];
    };
    readonly "/statistics/response-times.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getStatisticsResponseTimesXlsx"];
    };
    readonly "/statistics/response-times/messages": {
        readonly parameters: {
        };
        readonly get: operations["getStatisticsResponseTimesMessages"];
    };
    readonly "/statistics/unit-status": {
        readonly parameters: {
        };
        readonly get: operations["getStatisticsUnitStatus"];
    };
    readonly "/status": {
        readonly parameters: {
        };
        readonly get: operations["getStatus"];
    };
    readonly "/status/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putStatusById"];
    };
    readonly "/sync/state": {
        readonly parameters: {
        };
        readonly get: operations["getSyncState"];
    };
    readonly "/table": {
        readonly parameters: {
        };
        readonly get: operations["getTable"];
    };
    readonly "/table/v1/{profile}/{coordinates}": {
        readonly parameters: {
        };
        readonly get: operations["getTableV1ByProfileByCoordinates"];
    };
    readonly "/telemetry": {
        readonly parameters: {
        };
        readonly post: operations["postTelemetry"];
    };
    readonly "/telemetry/gpslogger": {
        readonly parameters: {
        };
        readonly post: operations["postTelemetryGpslogger"];
    };
    readonly "/telemetry/owntracks": {
        readonly parameters: {
        };
        readonly post: operations["postTelemetryOwntracks"];
    };
    readonly "/telemetry/quarantine": {
        readonly parameters: {
        };
        readonly get: operations["getTelemetryQuarantine"];
    };
    readonly "/telemetry/quarantine/replay": {
        readonly parameters: {
        };
        readonly post: operations["postTelemetryQuarantineReplay"];
    };
    readonly "/telemetry/retention": {
        readonly parameters: {
        };
        readonly get: operations["getTelemetryRetention"];
    };
    readonly "/telemetry/retention/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putTelemetryRetentionById"];
    };
    readonly "/telemetry/retention/{id}/preview": {
        readonly parameters: {
        };
        readonly get: operations["getTelemetryRetentionByIdPreview"];
    };
    readonly "/telemetry/traccar": {
        readonly parameters: {
        };
        readonly post: operations["postTelemetryTraccar"];
    };
    readonly "/telephony": {
        readonly parameters: {
        };
        readonly get: operations["getTelephony"];
    };
    readonly "/telephony/call": {
        readonly parameters: {
        };
        readonly get: operations["getTelephonyCall"];
    };
    readonly "/telephony/dial": {
        readonly parameters: {
        };
        readonly post: operations["postTelephonyDial"];
    };
    readonly "/telephony/extension": {
        readonly parameters: {
        };
        readonly put: operations["putTelephonyExtension"];
    };
    readonly "/telephony/settings": {
        readonly parameters: {
        };
        readonly get: operations["getTelephonySettings"];
        readonly put: operations["putTelephonySettings"];
    };
    readonly "/telephony/test": {
        readonly parameters: {
        };
        readonly post: operations["postTelephonyTest"];
    };
    readonly "/territory": {
        readonly parameters: {
        };
        readonly get: operations["getTerritory"];
        readonly post: operations["postTerritory"];
    };
    readonly "/territory/import": {
        readonly parameters: {
        };
        readonly delete: operations["deleteTerritoryImport"];
    };
    readonly "/territory/limits": {
        readonly parameters: {
        };
        readonly get: operations["getTerritoryLimits"];
    };
    readonly "/territory/previous": {
        readonly parameters: {
        };
        readonly post: operations["postTerritoryPrevious"];
    };
    readonly "/territory/stations": {
        readonly parameters: {
        };
        readonly get: operations["getTerritoryStations"];
    };
    readonly "/tiles/{z}/{x}/{y}.mvt": {
        readonly parameters: {
        };
        readonly get: operations["getTilesByZByXByYMvt"];
    };
    readonly "/trip/v1/{profile}/{coordinates}": {
        readonly parameters: {
        };
        readonly get: operations["getTripV1ByProfileByCoordinates"];
    };
    readonly "/users": {
        readonly parameters: {
        };
        readonly get: operations["getUsers"];
        readonly post: operations["postUsers"];
    };
    readonly "/users.xlsx": {
        readonly parameters: {
        };
        readonly get: operations["getUsersXlsx"];
    };
    readonly "/users/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putUsersById"];
        readonly delete: operations["deleteUsersById"];
    };
    readonly "/users/count": {
        readonly parameters: {
        };
        readonly get: operations["getUsersCount"];
    };
    readonly "/users/current": {
        readonly parameters: {
        };
        readonly get: operations["getUsersCurrent"];
    };
    readonly "/users/sign-out": {
        readonly parameters: {
        };
        readonly post: operations["postUsersSignOut"];
    };
    readonly "/vehicle-kinds": {
        readonly parameters: {
        };
        readonly get: operations["getVehicleKinds"];
        readonly post: operations["postVehicleKinds"];
    };
    readonly "/vehicle-kinds/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getVehicleKindsById"];
        readonly put: operations["putVehicleKindsById"];
        readonly delete: operations["deleteVehicleKindsById"];
    };
    readonly "/viaroute": {
        readonly parameters: {
        };
        readonly get: operations["getViaroute"];
    };
    readonly "/warning-feeds": {
        readonly parameters: {
        };
        readonly get: operations["getWarningFeeds"];
        readonly post: operations["postWarningFeeds"];
    };
    readonly "/warning-feeds/{id}": {
        readonly parameters: {
        };
        readonly put: operations["putWarningFeedsById"];
        readonly delete: operations["deleteWarningFeedsById"];
    };
    readonly "/warning-feeds/{id}/look": {
        readonly parameters: {
        };
        readonly post: operations["postWarningFeedsByIdLook"];
    };
    readonly "/warning-feeds/preview": {
        readonly parameters: {
        };
        readonly post: operations["postWarningFeedsPreview"];
    };
    readonly "/warnings": {
        readonly parameters: {
        };
        readonly get: operations["getWarnings"];
    };
    readonly "/warnings/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getWarningsById"];
    };
    readonly "/warnings/{id}/closures": {
        readonly parameters: {
        };
        readonly post: operations["postWarningsByIdClosures"];
        readonly delete: operations["deleteWarningsByIdClosures"];
    };
    readonly "/webhooks": {
        readonly parameters: {
        };
        readonly get: operations["getWebhooks"];
        readonly post: operations["postWebhooks"];
    };
    readonly "/webhooks/{id}": {
        readonly parameters: {
        };
        readonly get: operations["getWebhooksById"];
        readonly put: operations["putWebhooksById"];
        readonly delete: operations["deleteWebhooksById"];
    };
    readonly "/webhooks/{id}/deliveries": {
        readonly parameters: {
        };
        readonly get: operations["getWebhooksByIdDeliveries"];
    };
    readonly "/webhooks/{id}/deliveries/{deliveryId}/send": {
        readonly parameters: {
        };
        readonly post: operations["postWebhooksByIdDeliveriesByDeliveryIdSend"];
    };
    readonly "/webhooks/{id}/secret": {
        readonly parameters: {
        };
        readonly post: operations["postWebhooksByIdSecret"];
    };
    readonly "/webhooks/{id}/test": {
        readonly parameters: {
        };
        readonly post: operations["postWebhooksByIdTest"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Alarm: {
            readonly acknowledgedAt: number | null;
            readonly acknowledgedBy: {
                readonly id: number;
                readonly name: string;
            } | null;
            readonly assignedTo: {
                readonly id: number;
                readonly name: string;
            } | null;
            readonly carId: number | null;
            readonly carName: string;
            readonly carNo: string;
            readonly clearedAt: number | null;
            readonly comment: string;
            readonly event: number | null;
            readonly eventType: number | null;
            readonly glonassId: number | null;
            readonly goneAt: number | null;
            readonly id: number;
            readonly info: string;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly message: number | null;
            readonly name: {
                readonly en: string;
                readonly ru: string;
            };
            readonly occurrences: number;
            readonly organizationId: number;
            readonly priority: number;
            readonly raisedAt: number;
            readonly response: string;
            readonly responses: unknown;
            readonly rule: string;
            readonly shelved: {
                readonly at: number;
                readonly by: {
                    readonly id: number;
                    readonly name: string;
                };
                readonly reason: string;
                readonly until: number;
            } | null;
            readonly silencedUntil: number | null;
            readonly since: number;
            readonly sounding: boolean;
            /** @enum {string} */
            readonly state: "unacknowledged" | "acknowledged" | "shelved" | "cleared";
            readonly withdrawn: boolean;
        };
        readonly AlarmRate: {
            readonly byPriority: {
                readonly 1: number;
                readonly 2: number;
                readonly 3: number;
                readonly 4: number;
            };
            readonly byRule: readonly {
                readonly count: number;
                readonly name: {
                    readonly en: string;
                    readonly ru: string;
                };
                readonly rule: string;
            }[];
            readonly floods: readonly {
                readonly count: number;
                readonly from: number;
                readonly till: number;
            }[];
            readonly floodShare: number;
            readonly from: number;
            readonly mostIn10Minutes: number;
            readonly operators: readonly {
                readonly acknowledged: number;
                readonly id: number;
                readonly meanAnswer: number;
                readonly name: string;
            }[];
            readonly per10Minutes: number;
            readonly raised: number;
            readonly standing: number;
            readonly standingShare: number;
            readonly till: number;
        };
        readonly AlarmRule: {
            readonly enabled: boolean;
            readonly id: string;
            readonly name: {
                readonly en: string;
                readonly ru: string;
            };
            readonly priority: number;
            readonly response: {
                readonly en: string;
                readonly ru: string;
            };
            readonly source: {
                /** @constant */
                readonly kind: "event";
                readonly subject: string;
                readonly type: number;
            } | {
                /** @constant */
                readonly kind: "unit-status";
                readonly status: number;
            } | {
                readonly afterSeconds: number;
                readonly importance: number;
                /** @constant */
                readonly kind: "message";
            };
        };
        readonly AlarmSummary: {
            readonly acknowledged: number;
            readonly byPriority: {
                readonly 1: number;
                readonly 2: number;
                readonly 3: number;
                readonly 4: number;
            };
            readonly flood: {
                readonly count: number;
                readonly groups: readonly {
                    readonly alarms: readonly number[];
                    readonly count: number;
                    readonly name: {
                        readonly en: string;
                        readonly ru: string;
                    };
                    readonly priority: number;
                    readonly rule: string;
                }[];
                readonly since: number;
            } | null;
            readonly shelved: number;
            readonly sounding: boolean;
            readonly unacknowledged: number;
        };
        readonly Attachment: {
            /** @enum {string} */
            readonly conversion: "none" | "waiting" | "done" | "failed" | "unavailable";
            readonly conversion_note: string;
            readonly converted: readonly string[];
            readonly date: string;
            readonly description: string;
            readonly extension: string;
            readonly file_name: string;
            readonly id: string;
            readonly link: string | null;
            readonly name?: string;
            readonly num: string;
            /** @constant */
            readonly pending?: true;
            readonly size: number;
            readonly type: string;
            readonly upload?: string;
            readonly user_id: string | null;
        };
        readonly AuditEntry: {
            /** @enum {string} */
            readonly action: "created" | "changed" | "deleted" | "done" | "failed" | "locked" | "lifted" | "ended" | "started" | "replaced" | "refused";
            readonly address: string;
            readonly details: {
                readonly [key: string]: unknown;
            };
            readonly hash: string;
            readonly id: number;
            readonly keyId: number | null;
            /** @enum {string} */
            readonly kind: "signIn" | "session" | "identity" | "key" | "user" | "role" | "organization" | "rule" | "field" | "type" | "closure" | "export" | "retention" | "backup" | "link" | "setting" | "standby" | "territory" | "audit" | "crew" | "deviceCommand" | "access" | "call";
            readonly login: string;
            readonly subject: string;
            readonly subjectId: number | null;
            readonly subjectOrganizationId: number | null;
            readonly time: number;
            readonly userId: number | null;
            readonly userOrganizationId: number | null;
            /** @enum {string} */
            readonly way: "interface" | "command" | "station";
        };
        readonly Backup: {
            readonly added: number;
            readonly damaged: boolean;
            readonly encrypted: boolean;
            readonly id: string;
            readonly madeAt: number;
            readonly problems: readonly components["schemas"]["BackupProblem"][];
            readonly size: number;
        };
        readonly BackupProblem: {
            readonly refusal: components["schemas"]["Refused"];
            readonly text: string;
        };
        readonly Call: {
            readonly at: number;
            readonly endedAt: number | null;
            readonly id: number;
            readonly lat: number | null;
            readonly line: string;
            readonly lon: number | null;
            readonly name: string;
            readonly news: {
                readonly address: string;
                readonly id: number;
                readonly priority: number;
                readonly status: number;
                readonly title: string;
            } | null;
            readonly newsId: number | null;
            readonly number: string;
            readonly orgId: number;
            /** @enum {string} */
            readonly state: "ringing" | "taken" | "ended" | "missed";
            readonly takenBy: {
                readonly at: number;
                readonly id: number;
                readonly name: string;
            } | null;
            readonly text: string;
        };
        readonly CallProtocol: {
            readonly id: number;
            readonly name: string;
            readonly questions: readonly {
                readonly answers: readonly {
                    readonly advice: string;
                    readonly needs: readonly components["schemas"]["ResponsePlanNeed"][];
                    readonly nextId: number | null;
                    readonly priority: number | null;
                    readonly text: string;
                    readonly typeId: number | null;
                }[];
                readonly id: number;
                readonly text: string;
            }[];
            readonly typeIds: readonly number[];
        };
        readonly CarDetail: {
            readonly capabilityIds: readonly number[];
            readonly carInfo: {
                readonly carId: number;
                readonly carNo: string;
                readonly kmNextTo: number | null;
                readonly mark: {
                    readonly id: number;
                    readonly name: string;
                } | null;
                readonly model: {
                    readonly expenseOn100km: number | null;
                    readonly id: number;
                    readonly mark: {
                        readonly id: number;
                        readonly name: string;
                    } | null;
                    readonly markId: number | null;
                    readonly maxTank: number | null;
                    readonly motohoursMove: number | null;
                    readonly motohoursStop: number | null;
                    readonly name: string;
                } | null;
                readonly notes: string;
            };
            readonly customFields: {
                readonly [key: string]: unknown;
            };
            readonly devimei: string;
            readonly devphone: string;
            readonly direction: number | null;
            readonly driversIds: readonly number[];
            readonly glonassId: number;
            readonly group: {
                readonly extGroup: string;
                readonly id: number;
                readonly name: string;
                readonly notes: string;
                readonly organizationId: number;
                readonly view: boolean;
            } | null;
            readonly groupId: number | null;
            readonly hasPic: boolean;
            readonly iconIndex: number;
            readonly iconStandard: boolean;
            readonly id: number;
            readonly info: {
                readonly direction: number | null;
                readonly glonassCount: number | null;
                readonly gpsCount: number | null;
                readonly height: number | null;
                readonly id: {
                    readonly data: number | null;
                    readonly glonassId: number;
                };
                readonly lat: number | null;
                readonly lon: number | null;
                readonly odometr: number;
                readonly speed: number | null;
                readonly sysData: number | null;
                readonly wayid: number | null;
            };
            readonly kindId: number | null;
            readonly lastUpdate: number | null;
            readonly markId: number | null;
            readonly modelId: number | null;
            readonly motohours: {
                readonly carId: number;
                readonly move: number;
                readonly stop: number;
            };
            readonly name: string;
            readonly onService: boolean;
            readonly organizationId: number;
            readonly profile: string;
            readonly projectPoints: boolean;
            readonly speed: number | null;
            readonly stopped: {
                readonly carId: number;
                readonly stoped: boolean;
                readonly stopedBegin: number | null;
                readonly stopEvent: number | null;
                readonly stopNew: boolean;
            };
            readonly tags: readonly {
                readonly color: string;
                readonly id: number;
                readonly name: string;
            }[];
            readonly tagsIds: readonly number[];
            readonly toDelete: boolean;
            readonly unitStatus: number | null;
            readonly unitStatusSince: number | null;
            readonly view: boolean;
        };
        readonly CarItem: {
            readonly capabilityIds: readonly number[];
            readonly carNo: string;
            readonly direction: number | null;
            readonly glonassId: number;
            readonly groupId: number | null;
            readonly iconIndex: number;
            readonly iconStandard: boolean;
            readonly id: number;
            readonly isStopped: boolean;
            readonly kindId: number | null;
            readonly lastUpdate: number | null;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly markId: number | null;
            readonly modelId: number | null;
            readonly name: string;
            readonly onService: boolean;
            readonly organizationId: number;
            readonly projectPoints: boolean;
            readonly speed: number | null;
            readonly tagsIds: readonly number[];
            readonly toDelete: boolean;
            readonly unitStatus: number | null;
            readonly unitStatusSince: number | null;
            readonly view: boolean;
        };
        readonly Category: {
            readonly icon: string;
            readonly id: string;
            readonly name: string;
            readonly order_important: string;
        };
        readonly CitizensForm: {
            readonly bounds: readonly number[] | null;
            readonly mostPhotos: number;
            readonly name: string;
            readonly territory: string;
            readonly token: string;
            readonly types: readonly {
                readonly fields: readonly {
                    /** @enum {string} */
                    readonly format: "int" | "float" | "bool" | "list" | "date" | "string" | "text";
                    readonly hint: string;
                    readonly name: string;
                    readonly required: boolean;
                    readonly slug: string;
                    readonly values: readonly string[] | null;
                }[];
                readonly id: number;
                readonly name: string;
                readonly photos: boolean;
            }[];
        };
        readonly CitizensReport: {
            readonly address: string;
            readonly description: string;
            readonly id: number;
            readonly point: {
                readonly lat: number;
                readonly lon: number;
            } | null;
            readonly sentAt: number;
            /** @enum {string} */
            readonly step: "received" | "underWay" | "done";
            readonly stepSince: number;
            readonly typeName: string;
        };
        readonly Closure: {
            readonly factor: number;
            readonly from: number | null;
            readonly geometry: {
                readonly coordinates: readonly unknown[];
                /** @enum {string} */
                readonly type: "Point" | "LineString" | "Polygon";
            } & {
                readonly [key: string]: unknown;
            };
            readonly id: number;
            readonly name: string;
            readonly reason: string;
            readonly till: number | null;
        };
        readonly ClosurePreview: {
            readonly allowed: boolean;
            readonly length: number;
            readonly limit: number;
            readonly lines: {
                readonly coordinates: readonly (readonly (readonly number[])[])[];
                /** @constant */
                readonly type: "MultiLineString";
            };
            readonly roads: readonly {
                readonly length: number;
                readonly name: string;
            }[];
        };
        readonly CommentItem: {
            readonly comment: string;
            readonly date: string;
            readonly fio: string;
            readonly id: string;
            readonly level: string;
            readonly news_id: string;
            readonly reference_id: string | null;
            readonly update_text: string;
            readonly user_id: string;
        };
        readonly ControlPoint: {
            readonly arriveAfter: number | null;
            readonly id: number;
            readonly lat: number;
            readonly lon: number;
            readonly name: string;
            readonly radius: number;
        };
        readonly CrewMessage: {
            readonly at: number;
            readonly from: string;
            readonly fromCarId: number | null;
            readonly id: number;
            readonly mustAnswer: boolean;
            readonly readAt: number | null;
            readonly receipts: readonly {
                readonly answeredAt: number | null;
                readonly carId: number;
                readonly carName: string;
                readonly deliveredAt: number | null;
                readonly readAt: number | null;
                readonly sms?: {
                    readonly problem: ("noNumber" | "unreachable" | "expired" | "refused" | "undelivered" | "restored") | null;
                    /** @enum {string} */
                    readonly state: "queued" | "sent" | "delivered" | "failed";
                };
            }[];
            readonly text: string;
            /** @enum {string} */
            readonly to: "control" | "car" | "group" | "all";
            readonly toId: number | null;
            readonly toName: string;
        };
        readonly CrewSession: {
            readonly address: string;
            readonly begunAt: number;
            readonly carId: number;
            readonly carName: string;
            readonly device: string;
            readonly endsAt: number;
            readonly id: number;
            readonly madeBy: string;
            readonly usedAt: number;
        };
        readonly CrewState: {
            readonly car: {
                readonly glyph: string;
                readonly id: number;
                readonly name: string;
                readonly no: string;
                readonly service: string;
            };
            readonly messages: readonly {
                readonly answeredAt: number | null;
                readonly at: number;
                readonly author: string;
                readonly deliveredAt: number | null;
                readonly id: number;
                readonly mustAnswer: boolean;
                readonly own: boolean;
                readonly readAt: number | null;
                readonly text: string;
            }[];
            readonly now: number;
            readonly safety: {
                readonly period: number;
                readonly since: number;
            } | null;
            readonly status: number | null;
            readonly statusSince: number;
            readonly tasks: readonly components["schemas"]["CrewTask"][];
            readonly territory: string;
            readonly tracked: boolean;
            readonly version: string;
        };
        readonly CrewTask: {
            readonly acknowledgedAt: number | null;
            readonly address: string;
            readonly category: string;
            readonly comments: readonly {
                readonly at: number;
                readonly author: string;
                readonly id: number;
                readonly text: string;
            }[];
            readonly files: readonly {
                readonly id: number;
                readonly kind: string;
                readonly name: string;
                readonly size: number;
                readonly type: string;
            }[];
            readonly id: number;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly notes: readonly {
                readonly name: string;
                readonly subject: string;
                readonly text: string;
            }[];
            readonly onSceneAt: number | null;
            readonly priority: number;
            readonly role: string;
            readonly sentAt: number;
            readonly text: string;
            readonly title: string;
            readonly type: string;
            readonly units: readonly {
                readonly carId: number;
                readonly name: string;
                readonly role: string;
                readonly status: number;
                readonly statusSince: number;
            }[];
        };
        readonly CrewTelephone: {
            readonly carId: number;
            readonly carName: string;
            readonly number: string;
            readonly phone: string;
        };
        readonly CrewWay: {
            readonly closures: readonly {
                readonly id: number;
                readonly reason: string;
            }[];
            readonly distance: number;
            readonly geometry: readonly (readonly [
                number,
                number
            ])[];
            readonly steps: readonly {
                readonly code: string;
                readonly compass: string;
                readonly distance: number;
                readonly name: string;
                readonly position: number;
                readonly time: number;
            }[];
            readonly time: number;
        };
        readonly CurrentSensorValue: {
            readonly id: number;
            readonly name: string;
            readonly raw: number | null;
            readonly time: number | null;
            /** @enum {string} */
            readonly type: "digital" | "ignition" | "analog" | "fuel" | "driver-key" | "failure";
            readonly unit: string;
            readonly value: number | null;
        };
        readonly CurrentUser: {
            readonly currentOrgId: number;
            readonly email: string;
            readonly enabled: boolean;
            readonly extension: string;
            readonly fio: string;
            readonly groupId: number;
            readonly id: number;
            readonly login: string;
            readonly monitor: boolean;
            readonly organization: components["schemas"]["Organization"];
            readonly organizationId: number;
            readonly phone: string;
            readonly right: components["schemas"]["Right"];
            readonly visible: boolean;
        };
        readonly CustomField: {
            readonly default_value: string | null;
            /** @enum {string} */
            readonly format: "int" | "float" | "bool" | "geometry" | "string" | "text" | "list" | "date";
            readonly group_name: string;
            readonly hint: string;
            readonly id: string;
            /** @enum {string} */
            readonly is_for_all: "t" | "f";
            /** @enum {string} */
            readonly is_required: "t" | "f";
            readonly max_length: string | null;
            readonly min_length: string | null;
            readonly name: string;
            readonly news_type_ids: readonly string[];
            readonly order: string;
            readonly possible_values: readonly string[] | null;
            readonly regexp: string | null;
            readonly translit: string;
            /** @enum {string} */
            readonly visible: "t" | "f";
        };
        readonly Deed: {
            readonly at: number;
            readonly id: number;
            readonly name: string;
        };
        readonly DeviceCommand: {
            readonly answer: string;
            readonly createdAt: number;
            readonly endedAt: number | null;
            readonly expiresAt: number;
            readonly failure: ("refused" | "declined" | "unknown" | "unanswered" | "disconnected" | "restarted" | "restored") | null;
            readonly id: number;
            readonly problem: string;
            readonly protocol: string;
            readonly sentAt: number | null;
            /** @enum {string} */
            readonly state: "queued" | "sent" | "relayed" | "handed" | "answered" | "failed" | "expired" | "cancelled";
            readonly text: string;
            readonly user: string;
            readonly userId: number;
        };
        readonly DispatchSettings: {
            readonly leadSeconds: number;
            readonly orgId: number;
            readonly targets: readonly {
                readonly onSceneSeconds: number;
                readonly sentSeconds: number;
            }[];
        };
        readonly Done: {
            readonly message: string;
            readonly status: number;
        };
        readonly Driver: {
            readonly extId: string;
            readonly fio: string;
            readonly hasPhoto: boolean;
            readonly id: number;
            readonly notes: string;
            readonly orgId: number;
            readonly phone: string;
            readonly wire: string;
        };
        readonly DriverItem: {
            readonly fio: string;
            readonly hasPhoto: boolean;
            readonly id: number;
            readonly notes: string;
            readonly orgId: number;
            readonly phone: string;
        };
        readonly Duty: {
            readonly carId: number | null;
            readonly driverIds: readonly number[];
            readonly from: number;
            readonly id: number;
            readonly name: string;
            readonly orgId: number;
            readonly roll: ("present" | "missing") | null;
            readonly rollAt: number | null;
            readonly till: number | null;
            readonly userIds: readonly number[];
        };
        readonly Eido: {
            readonly $id: string;
            /** @constant */
            readonly eidoVersion: "1.0";
        } & {
            readonly [key: string]: unknown;
        };
        readonly Event: {
            readonly carId: number;
            readonly carName: string;
            readonly carNo: string;
            readonly data: {
                readonly [key: string]: number | string | boolean;
            };
            readonly dataFrom: number;
            readonly dataTill: number | null;
            readonly eventId: number;
            readonly gaugeId: number | null;
            readonly gaugeInfo: string | null;
            readonly glonassId: number;
            readonly id: number;
            readonly info: string;
            readonly lat: number;
            readonly lon: number;
            readonly notifiable: boolean;
            readonly reason: string;
        };
        readonly EventDetail: {
            readonly dataFrom: number;
            readonly dataTill: number | null;
            readonly description: string;
            readonly id: number;
            readonly lat: number;
            readonly lon: number;
        };
        readonly EventReplay: {
            readonly after: readonly {
                readonly count: number;
                readonly eventId: number;
            }[];
            readonly before: readonly {
                readonly count: number;
                readonly eventId: number;
            }[];
            readonly differing: number;
            readonly events: readonly {
                readonly after: components["schemas"]["ReplayedEvent"] | null;
                readonly before: components["schemas"]["ReplayedEvent"] | null;
                /** @enum {string} */
                readonly change: "created" | "changed" | "withdrawn";
            }[];
            readonly own: readonly {
                readonly carId: number;
                readonly settings: readonly string[];
            }[];
            readonly records: number;
        };
        readonly EventSettings: {
            readonly corridor: number;
            readonly driverGrace: number;
            readonly fuelLitres: number;
            readonly fuelShare: number;
            readonly fuelWithin: number;
            readonly longStopAfter: number;
            readonly lostAfter: number;
            readonly noFixAfter: number;
            readonly parkingAfter: number;
            readonly requestPersistence: number;
            readonly requestRadius: number;
            readonly sensorDebounce: number;
            readonly speedLimit: number;
            readonly speedPersistence: number;
            readonly standingSpeed: number;
            readonly stopAfter: number;
            readonly turnAngle: number;
            readonly turnSpeed: number;
            readonly zoneMargin: number;
            readonly zonePersistence: number;
        };
        readonly EventType: {
            readonly defaultMessage: string;
            readonly iconList: string;
            readonly iconMap: string;
            readonly id: number;
            readonly isModul: boolean;
            readonly name: string;
            readonly notifiable: boolean;
            readonly title: string;
            readonly view: boolean;
        };
        readonly ExchangeSettings: {
            readonly channel: string;
            readonly connected: boolean;
            readonly dialContext: string;
            readonly dialPrefix: string;
            readonly enabled: boolean;
            readonly hasSecret: boolean;
            readonly host: string;
            readonly lines: readonly {
                readonly context: string;
                readonly extension: string;
                readonly orgId: number;
            }[];
            readonly login: string;
            readonly plus: string;
            readonly port: number;
            readonly problem: string;
        };
        readonly ExchangeTest: {
            readonly greeting: string;
            readonly problem: string;
        };
        readonly FleetReport: {
            readonly columns: readonly {
                readonly kind: string;
                readonly name: string;
                readonly title: string;
            }[];
            readonly from: number;
            /** @enum {string} */
            readonly kind: "mileage" | "stops" | "fuel" | "speeding" | "geozones" | "routes" | "tasks";
            readonly madeAt: number;
            readonly rows: readonly {
                readonly [key: string]: string | number | boolean | null;
            }[];
            readonly till: number;
            readonly title: string;
            readonly totals: {
                readonly [key: string]: number;
            };
            readonly utcOffset: string;
            readonly zone: string;
        };
        readonly ForwardedIntake: {
            readonly accepted: number;
            readonly duplicates: number;
            readonly quarantined: number;
        };
        readonly FoundBackup: {
            readonly encrypted: boolean;
            readonly from: string;
            readonly madeAt: number;
            readonly size: number;
            readonly whole: boolean;
        };
        readonly Geozone: {
            readonly color: string;
            readonly district: boolean;
            readonly geometry: {
                readonly coordinates: readonly unknown[];
                /** @enum {string} */
                readonly type: "Polygon" | "Point" | "LineString";
            } & {
                readonly [key: string]: unknown;
            };
            readonly id: number;
            readonly name: string;
            readonly notes: string;
            readonly organizationId: number;
            readonly radius: number | null;
            /** @enum {string} */
            readonly shape: "polygon" | "circle" | "corridor";
            readonly speedLimit: number | null;
            readonly validFrom: number;
            readonly view: boolean;
            readonly width: number | null;
        };
        readonly GeozoneVersion: {
            readonly geometry: {
                readonly coordinates: readonly unknown[];
                /** @enum {string} */
                readonly type: "Polygon" | "Point" | "LineString";
            } & {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly radius: number | null;
            /** @enum {string} */
            readonly shape: "polygon" | "circle" | "corridor";
            readonly speedLimit: number | null;
            readonly validFrom: number;
            readonly validTill: number | null;
            readonly width: number | null;
        };
        readonly HistoryItem: {
            readonly date: string;
            readonly field: string;
            readonly fio: string | null;
            readonly from: unknown;
            readonly news_id: string;
            readonly note: string;
            readonly station: number;
            readonly to: unknown;
            readonly user_id: string | null;
        };
        readonly Icon: {
            readonly height: number;
            readonly id: number;
            readonly name: string;
            readonly width: number;
        };
        readonly IconItem: {
            readonly height: number;
            readonly id: number;
            readonly name: string;
            readonly ownerOrganizationId: number | null;
            readonly width: number;
        };
        readonly Import: {
            readonly at: number;
            readonly changed: number;
            readonly created: number;
            readonly done: number;
            readonly file: string;
            readonly id: number;
            /** @enum {string} */
            readonly kind: "vehicles" | "drivers" | "tasks" | "geozones" | "routes" | "closures" | "organizations" | "users";
            readonly left: number;
            readonly refused: number;
            readonly rows: number;
            /** @enum {string} */
            readonly state: "writing" | "done" | "broken" | "undoing" | "undone" | "kept";
            readonly userId: number;
            readonly userName: string;
        };
        readonly ImportField: {
            readonly heads: readonly string[];
            /** @enum {string} */
            readonly kind: "text" | "number" | "whole" | "flag" | "instant" | "geometry" | "one" | "many";
            readonly name: string;
            readonly title: {
                readonly en: string;
                readonly ru: string;
            };
        };
        readonly ImportPreview: {
            readonly columns: readonly {
                readonly example: string;
                readonly field: string | null;
                readonly head: string;
            }[];
            readonly counts: {
                readonly changed: number;
                readonly new: number;
                readonly refused: number;
                readonly same: number;
            };
            readonly fields: readonly components["schemas"]["ImportField"][];
            readonly file: string;
            /** @enum {string} */
            readonly format: "xlsx" | "csv" | "geojson" | "kml" | "gpx";
            readonly id: string;
            /** @enum {string} */
            readonly kind: "vehicles" | "drivers" | "tasks" | "geozones" | "routes" | "closures" | "organizations" | "users";
            readonly rows: number;
            readonly values: {
                readonly [key: string]: string;
            };
        };
        readonly ImportRow: {
            readonly cells: readonly string[];
            readonly changes: readonly string[];
            /** @enum {string} */
            readonly fate: "new" | "changed" | "same" | "refused";
            readonly faults: readonly {
                readonly cell: string | null;
                readonly column: number | null;
                readonly refusal: components["schemas"]["Refused"];
                readonly text: string;
            }[];
            readonly row: number;
        };
        readonly Isochrone: {
            readonly geometry: {
                readonly coordinates: readonly (readonly (readonly (readonly [
                    number,
                    number
                ])[])[])[];
                /** @constant */
                readonly type: "MultiPolygon";
            };
            readonly properties: {
                readonly minutes: number;
            };
            /** @constant */
            readonly type: "Feature";
        };
        readonly IssueAccess: {
            readonly capabilityId: number;
            readonly id: number;
            readonly states: readonly number[] | null;
        };
        readonly IssueCapability: {
            readonly defaultValue: boolean;
            readonly id: number;
            readonly name: string;
        };
        readonly IssueState: {
            readonly currentUserField: string | null;
            readonly field: string;
            readonly id: number;
            readonly name: string;
            readonly sign: ("=" | "!=" | "<" | ">" | "<=" | ">=" | "in") | null;
            readonly value: string | number | boolean | readonly (string | number | boolean)[] | null;
        };
        readonly Letter: {
            readonly address: string;
            readonly createdAt: number;
            readonly id: number;
            readonly name: string;
            readonly newsId: number;
            readonly printedAt: number | null;
            readonly subject: string;
        };
        readonly Link: {
            readonly address: string | null;
            /** @enum {string} */
            readonly dialledBy: "us" | "them";
            readonly digest: {
                readonly mine: string;
                readonly theirs: string;
            } | null;
            readonly fingerprint: string | null;
            readonly id: number;
            readonly kinds: readonly {
                readonly in: number;
                /** @enum {string} */
                readonly kind: "tasks" | "vehicles" | "directories" | "accounts" | "events" | "merges";
                readonly out: number;
            }[];
            readonly lastContact: number | null;
            readonly lastError: string | null;
            readonly lastRefusal: components["schemas"]["Refused"] | null;
            /** @enum {string} */
            readonly leadership: "peer" | "follows" | "followed" | "promoted" | "replaced";
            readonly linkedWith: readonly {
                readonly id: string;
                readonly name: string;
                readonly number: number;
            }[];
            readonly organizations: readonly number[] | null;
            readonly paused: boolean;
            readonly pendingFiles: number;
            readonly pendingFilesThere: number;
            readonly promotedAt: number | null;
            readonly readOnly: boolean;
            readonly since: number;
            readonly standby: boolean;
            /** @enum {string} */
            readonly state: "synced" | "behind" | "unreachable" | "paused" | "refused";
            readonly station: {
                readonly id: string;
                readonly name: string;
                readonly number: number;
            };
            readonly theirTracks: ("none" | "last" | "all") | {
                readonly days: number;
            };
            readonly tracks: ("none" | "last" | "all") | {
                readonly days: number;
            };
            readonly tracksIn: number;
            readonly tracksOut: number;
            readonly waitingIn: number;
            readonly waitingOut: number;
        };
        readonly LogBookLine: {
            readonly alarm: {
                readonly en: string;
                readonly ru: string;
            } | null;
            readonly at: number;
            readonly by: {
                readonly id: number;
                readonly name: string;
            } | null;
            readonly carId: number | null;
            readonly carName: string;
            readonly corrects: number | null;
            readonly id: number | null;
            /** @enum {string} */
            readonly kind: "shift-ended" | "shift-begun" | "shift-taken-over" | "duty-begun" | "duty-ended" | "crew-missing" | "task-taken" | "unit-sent" | "unit-on-scene" | "unit-clear" | "task-closed" | "alarm" | "alarm-answered" | "closure-begun" | "closure-ended" | "entry";
            readonly newsId: number | null;
            readonly orgId: number | null;
            readonly text: string;
        };
        readonly Mail: {
            readonly attempts: number;
            readonly createdAt: number;
            readonly error: string;
            readonly id: number;
            readonly name: string;
            readonly newsId: number;
            readonly nextAt: number | null;
            readonly sentAt: number | null;
            /** @enum {string} */
            readonly state: "waiting" | "sent" | "failed";
            readonly subject: string;
            readonly text: string;
            readonly to: string;
        };
        readonly MailboxSettings: {
            readonly enabled: boolean;
            readonly folder: string;
            readonly hasSecret: boolean;
            readonly host: string;
            readonly login: string;
            readonly perHour: number;
            readonly port: number;
            readonly problems: readonly string[];
            readonly receiver: {
                readonly enabled: boolean;
                readonly host: string;
                readonly networks: readonly string[];
                readonly port: number;
                readonly recipients: readonly string[];
            };
            readonly rules: readonly {
                readonly categoryId: number;
                readonly from: string;
                readonly name: string;
                readonly newsTypeId: number;
                readonly orgId: number;
                readonly priority: number;
                readonly subject: string;
                readonly takesAutomatic: boolean;
                readonly to: string;
            }[];
            /** @enum {string} */
            readonly security: "tls" | "starttls" | "none";
            readonly senderPerHour: number;
            readonly userId: number;
        };
        readonly MailPreview: {
            readonly files: readonly string[];
            readonly from: string;
            readonly known: boolean;
            readonly newsId: number | null;
            readonly rule: string;
            /** @enum {string} */
            readonly state: "task" | "comment" | "answering" | "own" | "automatic" | "noRule";
            readonly subject: string;
            readonly text: string;
            readonly title: string;
        };
        readonly Merge: {
            readonly collection: string;
            readonly field: string;
            readonly id: number;
            readonly kept: {
                readonly station: {
                    readonly id: string | null;
                    readonly name: string | null;
                    readonly number: number;
                };
                readonly time: number;
                readonly user: {
                    readonly id: number;
                    readonly name: string;
                } | null;
                readonly value: unknown;
            };
            readonly lost: {
                readonly station: {
                    readonly id: string | null;
                    readonly name: string | null;
                    readonly number: number;
                };
                readonly time: number;
                readonly user: {
                    readonly id: number;
                    readonly name: string;
                } | null;
                readonly value: unknown;
            };
            readonly message: number | null;
            readonly otherId: string | null;
            readonly recordId: string;
            readonly resolved: ("kept" | "lost") | null;
            readonly resolvedAt: number | null;
            readonly resolvedBy: {
                readonly id: number;
                readonly name: string;
            } | null;
            readonly rule: string;
        };
        readonly MessageWatchers: {
            readonly watchers: readonly {
                readonly fio: string;
                readonly id: number;
            }[];
            readonly watching: boolean;
        };
        readonly NewsAccess: {
            readonly capability_id: string;
            readonly id: string;
            readonly states: readonly string[] | null;
        };
        readonly NewsCapability: {
            readonly id: string;
            readonly name: string;
        };
        readonly NewsDetail: {
            readonly address: string;
            readonly answers: readonly {
                readonly answer: string;
                readonly priority: number;
                readonly question: string;
            }[];
            /** @enum {string} */
            readonly archive: "t" | "f";
            readonly assigned_car_id: string | null;
            readonly assigned_car_name: string | null;
            readonly assigned_change_date: string;
            readonly assigned_department_name: string | null;
            readonly assigned_status: string;
            readonly assigned_to: string | null;
            readonly assigned_to_user: string | null;
            readonly assigned_user_fio: string | null;
            readonly category_id: string | null;
            readonly category_name: string;
            readonly confirmed: string;
            readonly confirmed_comment: string | null;
            readonly custom_fields: string;
            readonly deadline: string | null;
            readonly department_id: string;
            readonly department_logo: string;
            readonly department_title: string;
            readonly id: string;
            readonly lat: string | null;
            readonly lon: string | null;
            readonly news_date: string;
            readonly news_type_icon: string;
            readonly news_type_id: string;
            readonly news_type_logo: string;
            readonly news_type_name: string;
            readonly notice: string;
            readonly num_main_photo: string | null;
            /** @enum {string} */
            readonly overdue: "t" | "f";
            readonly priority: string;
            /** @enum {string} */
            readonly restricted: "t" | "f";
            readonly status_name: string;
            readonly system_data: string;
            readonly text: string;
            readonly title: string;
            readonly units: readonly components["schemas"]["NewsUnit"][];
            readonly update_date: string;
            readonly user_fio: string;
            readonly user_id: string;
            readonly zoom: string | null;
        };
        readonly NewsItem: {
            /** @enum {string} */
            readonly archive: "t" | "f";
            readonly assigned_change_date: string;
            readonly assigned_department_name: string | null;
            readonly assigned_status: string;
            readonly assigned_to: string | null;
            readonly assigned_to_user: string | null;
            readonly assigned_user_fio: string | null;
            readonly category_id: string | null;
            readonly category_name: string;
            readonly confirmed: string;
            readonly custom_fields: string;
            readonly deadline: string | null;
            readonly department_id: string;
            readonly department_logo: string;
            readonly department_title: string;
            readonly id: string;
            readonly lat: string | null;
            readonly lon: string | null;
            readonly news_date: string;
            readonly news_type_icon: string;
            readonly news_type_id: string;
            readonly news_type_name: string;
            readonly notice: string;
            readonly num_main_photo: string | null;
            /** @enum {string} */
            readonly overdue: "t" | "f";
            readonly priority: string;
            /** @enum {string} */
            readonly restricted: "t" | "f";
            readonly status_name: string;
            readonly system_data: string;
            readonly text: string;
            readonly title: string;
            readonly units?: readonly components["schemas"]["NewsUnit"][];
            readonly user_fio: string;
            readonly user_id: string;
            readonly zoom: string | null;
        };
        readonly NewsState: {
            readonly field: string;
            readonly field_from_session: string | null;
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly sign: "=" | "!=" | "<" | ">" | "<=" | ">=" | "in";
            readonly value: string | null;
        };
        readonly NewsType: {
            /** @enum {string} */
            readonly default_type: "t" | "f";
            readonly group_id: string | null;
            readonly icon: string;
            readonly icon3d: string;
            readonly map_icon: string;
            readonly map_icon_highlight: string;
            readonly name: string;
            readonly news_type_id: string;
            readonly period_of_review: string;
            readonly period_of_review_in_sec: string;
        };
        readonly NewsUnit: {
            readonly acknowledgedAt: number | null;
            readonly carId: number;
            readonly carName: string;
            readonly clearAt: number | null;
            readonly enRouteAt: number | null;
            readonly lead: boolean;
            readonly onSceneAt: number | null;
            readonly role: string;
            readonly sentAt: number | null;
            readonly status: {
                readonly digit: number;
                readonly word: string;
            };
        };
        readonly NewsVerdict: {
            readonly access_id: string | null;
            /** @enum {string} */
            readonly allowed: "t" | "f";
            readonly capability_id: string;
            readonly name: string;
            /** @enum {string} */
            readonly reason: "administrator" | "any-state" | "state" | "other-department" | "not-listed" | "no-state" | "unseen";
            readonly states: readonly components["schemas"]["NewsState"][];
        };
        readonly OgcCollection: {
            readonly crs: readonly string[];
            readonly description: string;
            readonly id: string;
            /** @constant */
            readonly itemType: "feature";
            readonly links: readonly {
                readonly href: string;
                readonly rel: string;
                readonly title: string;
                readonly type: string;
            }[];
            readonly title: string;
        };
        readonly Open311Definition: {
            readonly attributes: readonly {
                readonly code: string;
                /** @enum {string} */
                readonly datatype: "string" | "number" | "datetime" | "text" | "singlevaluelist";
                readonly datatype_description: string;
                readonly description: string;
                readonly order: number;
                readonly required: boolean;
                readonly values?: readonly {
                    readonly key: string;
                    readonly name: string;
                }[];
                /** @constant */
                readonly variable: true;
            }[];
            readonly service_code: string;
        };
        readonly Open311Request: {
            readonly address: string | null;
            readonly address_id: string | null;
            readonly agency_responsible: string | null;
            readonly description: string | null;
            readonly expected_datetime: string | null;
            readonly lat: number | null;
            readonly long: number | null;
            readonly media_url: string | null;
            readonly requested_datetime: string;
            readonly service_code: string;
            readonly service_name: string;
            readonly service_notice: string | null;
            readonly service_request_id: string;
            /** @enum {string} */
            readonly status: "open" | "closed";
            readonly status_notes: string | null;
            readonly updated_datetime: string;
            readonly zipcode: string | null;
        };
        readonly Open311Service: {
            readonly description: string;
            readonly group: string;
            readonly keywords: string;
            readonly metadata: boolean;
            readonly service_code: string;
            readonly service_name: string;
            /** @constant */
            readonly type: "realtime";
        };
        readonly Organization: {
            readonly id: number;
            readonly info: {
                readonly address: string;
                readonly email: string;
                readonly homepage: string;
                readonly inn: string;
                readonly kpp: string;
                readonly orgId: number;
                readonly phone: string;
            };
            readonly mapAerialProvider: string;
            readonly mapExtent: string;
            readonly mapRoadProvider: string;
            readonly name: string;
            readonly toDelete: boolean;
        };
        readonly OutgoingCall: {
            readonly answeredAt: number | null;
            readonly at: number;
            readonly dialled: string;
            readonly endedAt: number | null;
            readonly extension: string;
            readonly number: string;
            /** @enum {string} */
            readonly reason: "" | "desk" | "busy" | "noAnswer" | "unreachable";
            /** @enum {string} */
            readonly state: "dialing" | "lift" | "calling" | "ringing" | "answered" | "refused" | "ended" | "lost";
        };
        readonly OwnPlace: {
            readonly accessCode: string | null;
            readonly externalId: string;
            readonly geometry: ({
                readonly coordinates: readonly unknown[];
                /** @enum {string} */
                readonly type: "LineString" | "Polygon";
            } & {
                readonly [key: string]: unknown;
            }) | null;
            readonly hasCode: boolean;
            readonly id: number;
            readonly lat: number;
            readonly layer: string;
            readonly lon: number;
            readonly name: string;
            readonly notes: string;
            readonly organizationId: number | null;
            readonly otherNames: readonly string[];
            /** @enum {string} */
            readonly sort: "hydrant" | "water" | "keyBox" | "defibrillator" | "gate" | "entrance" | "station" | "building" | "house" | "road" | "meetingPoint" | "landing" | "hazard" | "area" | "other";
        };
        readonly Passkey: {
            readonly createdAt: number;
            readonly here: boolean;
            readonly id: string;
            readonly name: string;
            readonly site: string;
            readonly usedAt: number | null;
        };
        readonly PastBoard: {
            readonly alarms: readonly components["schemas"]["Alarm"][];
            readonly at: number;
            readonly cars: readonly components["schemas"]["PastCar"][];
            readonly messages: readonly components["schemas"]["PastMessage"][];
            readonly more: boolean;
            readonly notedSince: number;
        };
        readonly PastCar: {
            readonly direction: number | null;
            readonly id: number;
            readonly lastUpdate: number | null;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly speed: number | null;
            readonly unitStatus: number | null;
            readonly unitStatusSince: number | null;
        };
        readonly PastMessage: {
            readonly address: string;
            readonly assignedDepartmentId: number | null;
            readonly assignedUserId: number | null;
            readonly categoryId: number | null;
            readonly date: number;
            readonly departmentId: number;
            readonly id: number;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly priority: number;
            readonly status: number;
            readonly statusSince: number;
            readonly title: string;
            readonly typeId: number;
            readonly units: readonly components["schemas"]["NewsUnit"][];
        };
        readonly PinnedNote: {
            readonly by: components["schemas"]["Deed"];
            readonly done: components["schemas"]["Deed"] | null;
            readonly forNext: boolean;
            readonly id: number;
            readonly orgId: number;
            readonly text: string;
            readonly till: number | null;
        };
        readonly PlannedRoute: {
            readonly carsIds: readonly number[];
            readonly color: string;
            readonly corridor: number | null;
            readonly from: number | null;
            readonly id: number;
            readonly line: {
                readonly coordinates: readonly unknown[];
                /** @constant */
                readonly type: "LineString";
            } & {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly notes: string;
            readonly organizationId: number;
            readonly points: readonly components["schemas"]["ControlPoint"][];
            readonly till: number | null;
            readonly validFrom: number;
            readonly view: boolean;
        };
        readonly PlannedRouteVersion: {
            readonly carsIds: readonly number[];
            readonly corridor: number | null;
            readonly from: number | null;
            readonly line: {
                readonly coordinates: readonly unknown[];
                /** @constant */
                readonly type: "LineString";
            } & {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly points: readonly components["schemas"]["ControlPoint"][];
            readonly till: number | null;
            readonly validFrom: number;
            readonly validTill: number | null;
        };
        readonly PremiseNote: {
            readonly geozoneId: number | null;
            readonly id: number;
            readonly lat: number | null;
            readonly lon: number | null;
            readonly name: string;
            readonly organizationId: number | null;
            readonly radius: number;
            /** @enum {string} */
            readonly subject: "hazard" | "key" | "code" | "other";
            readonly text: string;
            readonly till: number | null;
        };
        readonly Preset: {
            readonly changedAt: number;
            readonly content: {
                readonly [key: string]: unknown;
            };
            readonly id: number;
            readonly name: string;
            readonly organizationId: number | null;
            readonly ownerId: number;
            /** @enum {string} */
            readonly use: "layout" | "view";
        };
        readonly Promotion: {
            readonly link: components["schemas"]["Link"];
            readonly missing: {
                readonly confirmedAt: number | null;
                readonly files: number;
                readonly lastContact: number | null;
                readonly positions: number;
                readonly records: number;
                readonly seconds: number | null;
            };
        };
        readonly Proposal: {
            readonly cover: readonly {
                readonly district: {
                    readonly id: number;
                    readonly name: string;
                };
                readonly kind: {
                    readonly id: number;
                    readonly name: string;
                };
            }[];
            readonly others: readonly components["schemas"]["Recommendation"][];
            readonly plan: {
                readonly id: number;
                readonly name: string;
                readonly tell: readonly {
                    readonly id: number;
                    readonly name: string;
                }[];
            } | null;
            readonly short: readonly {
                readonly capabilityIds: readonly number[];
                readonly count: number;
                readonly kindId: number | null;
                readonly nearest: {
                    readonly busyWith: number | null;
                    readonly carId: number;
                    readonly name: string;
                    readonly reasonCodes: readonly ({
                        readonly code: string;
                    } & {
                        readonly [key: string]: unknown;
                    })[];
                    readonly time: number | null;
                } | null;
                readonly role: string;
                readonly text: string;
                readonly what: string;
            }[];
            readonly units: readonly components["schemas"]["ProposedUnit"][];
        };
        readonly ProposedUnit: {
            readonly arrivesAt: number | null;
            readonly available: boolean;
            readonly busyWith: number | null;
            readonly carId: number;
            readonly carName: string;
            readonly carNo: string;
            readonly distance: number | null;
            readonly drivers: readonly string[];
            readonly glonassId: number;
            readonly kindId: number | null;
            readonly name: string;
            readonly positionTime: number | null;
            readonly rank: number;
            readonly reasonCodes: readonly ({
                readonly code: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly reasons: readonly string[];
            readonly role: string;
            readonly time: number | null;
            readonly unitStatus: number | null;
        };
        readonly PublicKeyCredential: {
            readonly id: string;
            readonly response: {
                readonly clientDataJSON: string;
            } & {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        readonly QuarantineEntry: {
            readonly device: string;
            readonly id: number;
            readonly raw: string;
            readonly reason: string;
            readonly source: string;
            readonly time: number;
        };
        readonly RasterLayer: {
            readonly attribution: string;
            readonly bounds: readonly number[];
            /** @enum {string} */
            readonly format: "mbtiles" | "pmtiles";
            readonly id: number;
            readonly maxZoom: number;
            readonly minZoom: number;
            readonly name: string;
            readonly size: number;
        };
        readonly ReceivedMail: {
            readonly at: number;
            readonly from: string;
            readonly id: number;
            readonly newsId: number | null;
            /** @enum {string} */
            readonly state: "task" | "comment" | "answering" | "own" | "automatic" | "noRule";
            readonly subject: string;
        };
        readonly ReceivedSms: {
            readonly at: number;
            readonly id: number;
            readonly number: string;
            readonly text: string;
        };
        readonly Recommendation: {
            readonly available: boolean;
            readonly busyWith: number | null;
            readonly carId: number;
            readonly carName: string;
            readonly carNo: string;
            readonly distance: number | null;
            readonly drivers: readonly string[];
            readonly glonassId: number;
            readonly positionTime: number | null;
            readonly rank: number;
            readonly reasonCodes: readonly ({
                readonly code: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly reasons: readonly string[];
            readonly time: number | null;
            readonly unitStatus: number | null;
        };
        readonly Refused: {
            readonly code: string;
            readonly params: {
                readonly [key: string]: unknown;
            };
        };
        readonly Region: {
            readonly name: string;
            readonly problem: string | null;
            readonly refused: number;
            /** @enum {string} */
            readonly state: "synced" | "behind" | "away";
            readonly stations: readonly {
                readonly isEqual: boolean;
                readonly isHere: boolean;
                readonly lastContact: number;
                readonly station: {
                    readonly id: string;
                    readonly name: string;
                    readonly number: number;
                };
            }[];
            readonly waitingIn: number;
            readonly waitingOut: number;
        };
        readonly RelatedMessages: {
            readonly links: readonly components["schemas"]["RelatedNews"][];
            readonly merged: readonly components["schemas"]["RelatedNews"][];
            readonly mergedInto: components["schemas"]["RelatedNews"] | null;
        };
        readonly RelatedNews: {
            readonly address: string;
            readonly date: number;
            readonly id: number;
            readonly status: number;
            readonly title: string;
        };
        readonly ReplayedEvent: {
            readonly carId: number;
            readonly data: {
                readonly [key: string]: number | string | boolean;
            };
            readonly dataFrom: number;
            readonly dataTill: number | null;
            readonly eventId: number;
            readonly id: number;
            readonly info: string;
            readonly lat: number;
            readonly lon: number;
        };
        readonly ReplicaPage: {
            readonly checkpoint: string;
            readonly documents: readonly ({
                readonly key: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly epoch: string;
            readonly more: boolean;
            /** @constant */
            readonly reset?: true;
        };
        readonly ReportSchedule: {
            readonly addresses: readonly string[];
            readonly cars: readonly number[];
            readonly day: number;
            /** @enum {string} */
            readonly every: "day" | "week" | "month";
            /** @enum {string} */
            readonly form: "xlsx" | "csv" | "pdf";
            readonly groups: readonly number[];
            readonly id: number;
            /** @enum {string} */
            readonly lang: "en" | "ru";
            readonly last: {
                readonly at: number;
                readonly failed: number;
                readonly from: number;
                readonly mails: number;
                readonly problem: {
                    readonly refusal: components["schemas"]["Refused"];
                    readonly text: string;
                } | null;
                readonly sent: number;
                readonly till: number;
                readonly waiting: number;
            } | null;
            readonly minute: number;
            readonly name: string;
            readonly next: number | null;
            readonly ownerId: number;
            readonly paused: boolean;
            /** @enum {string} */
            readonly report: "mileage" | "stops" | "fuel" | "speeding" | "geozones" | "routes" | "tasks";
            readonly tz: string;
            readonly userIds: readonly number[];
        };
        readonly ResponsePlan: {
            readonly categoryIds: readonly number[];
            readonly geozoneId: number | null;
            readonly id: number;
            readonly name: string;
            readonly needs: readonly components["schemas"]["ResponsePlanNeed"][];
            readonly organizationId: number | null;
            readonly priorities: readonly number[];
            readonly tellOrganizationIds: readonly number[];
            readonly typeIds: readonly number[];
        };
        readonly ResponsePlanNeed: {
            readonly capabilityIds: readonly number[];
            readonly count: number;
            readonly kindId: number | null;
            readonly role: string;
        };
        readonly ResponseTimeMessages: {
            readonly more: boolean;
            readonly rows: readonly {
                readonly carIds: readonly number[];
                readonly date: number;
                readonly departmentId: number;
                readonly missed: boolean;
                readonly newsId: number;
                readonly priority: number;
                readonly response: number | null;
                readonly sent: number | null;
                readonly title: string;
                readonly typeId: number;
            }[];
        };
        readonly ResponseTimes: {
            readonly before: readonly {
                readonly messages: number;
                readonly priority: number;
                readonly stages: readonly {
                    readonly count: number;
                    readonly kept: number;
                    readonly missed: number;
                    readonly p50: number | null;
                    readonly p80: number | null;
                    readonly p90: number | null;
                    readonly p95: number | null;
                    /** @enum {string} */
                    readonly stage: "sent" | "acknowledged" | "enRoute" | "onScene" | "clear" | "response";
                }[];
                readonly unsent: number;
            }[];
            readonly departments: readonly {
                readonly departmentId: number;
                readonly messages: number;
            }[];
            readonly from: number;
            readonly hours: readonly (readonly number[])[];
            readonly madeAt: number;
            readonly places: readonly {
                readonly lat: number;
                readonly lon: number;
                readonly messages: number;
            }[];
            readonly priorities: readonly {
                readonly messages: number;
                readonly priority: number;
                readonly stages: readonly {
                    readonly count: number;
                    readonly kept: number;
                    readonly missed: number;
                    readonly p50: number | null;
                    readonly p80: number | null;
                    readonly p90: number | null;
                    readonly p95: number | null;
                    /** @enum {string} */
                    readonly stage: "sent" | "acknowledged" | "enRoute" | "onScene" | "clear" | "response";
                }[];
                readonly unsent: number;
            }[];
            readonly till: number;
            readonly types: readonly {
                readonly messages: number;
                readonly typeId: number;
            }[];
            readonly units: readonly {
                readonly busy: number;
                readonly carId: number;
                readonly runs: number;
                readonly share: number;
            }[];
            readonly zone: string;
        };
        readonly Retention: {
            readonly days: number | null;
            readonly organizationId: number;
            readonly since: number;
        };
        readonly RetentionPreview: {
            readonly before: number | null;
            readonly cars: readonly {
                readonly carId: number;
                readonly carName: string;
                readonly oldest: number;
                readonly points: number;
            }[];
            readonly days: number | null;
            readonly organizationId: number;
            readonly points: number;
        };
        readonly Right: {
            readonly accesses: readonly {
                readonly capability_id: number;
                readonly id: number;
                readonly states: readonly number[] | null;
            }[];
            readonly admin: boolean;
            readonly id: number;
            readonly name: string;
            readonly organization: components["schemas"]["Organization"];
            readonly usersCount: number;
            readonly wheel: boolean;
        };
        readonly Sensor: {
            readonly calibration: readonly (readonly number[])[];
            readonly carId: number;
            readonly debounce: number | null;
            readonly high: number | null;
            readonly hysteresis: number;
            readonly id: number;
            readonly input: {
                readonly index: number;
                /** @enum {string} */
                readonly kind: "input" | "adc";
            } | {
                /** @constant */
                readonly kind: "param";
                readonly name: string;
            };
            readonly inverted: boolean;
            readonly low: number | null;
            readonly name: string;
            readonly planned: readonly {
                readonly calibration: readonly (readonly number[])[];
                readonly debounce: number | null;
                readonly high: number | null;
                readonly hysteresis: number;
                readonly input: {
                    readonly index: number;
                    /** @enum {string} */
                    readonly kind: "input" | "adc";
                } | {
                    /** @constant */
                    readonly kind: "param";
                    readonly name: string;
                };
                readonly inverted: boolean;
                readonly low: number | null;
                readonly name: string;
                /** @enum {string} */
                readonly type: "digital" | "ignition" | "analog" | "fuel" | "driver-key" | "failure";
                readonly validFrom: number;
            }[];
            /** @enum {string} */
            readonly type: "digital" | "ignition" | "analog" | "fuel" | "driver-key" | "failure";
            readonly unit: string;
            readonly validFrom: number;
        };
        readonly SensorValue: {
            readonly raw: number;
            readonly time: number;
            readonly value: number;
        };
        readonly SensorVersion: {
            readonly calibration: readonly (readonly number[])[];
            readonly debounce: number | null;
            readonly high: number | null;
            readonly hysteresis: number;
            readonly input: {
                readonly index: number;
                /** @enum {string} */
                readonly kind: "input" | "adc";
            } | {
                /** @constant */
                readonly kind: "param";
                readonly name: string;
            };
            readonly inverted: boolean;
            readonly low: number | null;
            readonly name: string;
            /** @enum {string} */
            readonly type: "digital" | "ignition" | "analog" | "fuel" | "driver-key" | "failure";
            readonly validFrom: number;
            readonly validTill: number | null;
        };
        readonly Session: {
            readonly address: string;
            readonly createdAt: number;
            readonly current: boolean;
            readonly device: string;
            readonly id: number;
            readonly usedAt: number;
        };
        readonly Shift: {
            readonly accepted: components["schemas"]["Deed"] | null;
            readonly begun: components["schemas"]["Deed"];
            readonly ended: components["schemas"]["Deed"] | null;
            readonly everywhere: boolean;
            readonly handover: string;
            readonly id: number;
            readonly name: string;
            readonly orgId: number;
            readonly rollCall: components["schemas"]["Deed"] | null;
        };
        readonly ShiftSettings: {
            readonly orgId: number;
            readonly safetyMinutes: number;
        };
        readonly ShortNews: {
            /** @enum {string} */
            readonly archive: "t" | "f";
            readonly date: string;
            readonly department_id: string;
            readonly files: number;
            readonly id: string;
            readonly news_date: string;
            readonly photos: number;
            readonly point: number;
            readonly shorttext: string;
            readonly sounds: number;
            readonly system_data: string;
            readonly title: string;
            readonly video: number;
        };
        readonly Sms: {
            readonly at: number;
            readonly attempts: number;
            readonly carId: number | null;
            readonly deliveredAt: number | null;
            readonly error: string;
            readonly id: number;
            readonly name: string;
            readonly nextAt: number | null;
            readonly number: string;
            readonly problem: ("noNumber" | "unreachable" | "expired" | "refused" | "undelivered" | "restored") | null;
            /** @enum {string} */
            readonly purpose: "crew" | "reply" | "sending" | "notice" | "test";
            readonly sentAt: number | null;
            /** @enum {string} */
            readonly state: "queued" | "sent" | "delivered" | "failed";
            readonly text: string;
        };
        readonly SmsSettings: {
            readonly countryCode: string;
            /** @enum {string} */
            readonly gateway: "off" | "http" | "smpp";
            readonly hasSecret: boolean;
            readonly hours: number;
            readonly http: {
                readonly answerContains: string;
                readonly body: string;
                readonly headers: string;
                /** @enum {string} */
                readonly hookForm: "plain" | "android";
                readonly idField: string;
                /** @enum {string} */
                readonly method: "POST" | "PUT" | "GET";
                readonly url: string;
            };
            /** @enum {string} */
            readonly language: "en" | "ru";
            readonly login: string;
            /** @enum {string} */
            readonly messages: "chosen" | "unreachable" | "all";
            readonly perMinute: number;
            readonly problem: string;
            readonly queued: number;
            readonly smpp: {
                readonly host: string;
                readonly port: number;
                /** @enum {string} */
                readonly reportIds: "same" | "decimal" | "hexadecimal";
                readonly source: string;
                readonly systemType: string;
                readonly tls: boolean;
            };
            readonly trunkPrefix: string;
        };
        readonly Speeds: {
            readonly enough: {
                readonly days: number;
                readonly passages: number;
            };
            readonly from: number | null;
            readonly hour: number;
            readonly on: boolean;
            readonly passages: number;
            readonly roads: number;
            readonly roadsInUse: number;
            readonly switchedAt: number | null;
            readonly switchedBy: number | null;
            readonly till: number | null;
            readonly waiting: number;
            readonly zone: string;
        };
        readonly SpeedsCoverage: {
            readonly hours: readonly {
                readonly hour: number;
                readonly passages: number;
                readonly share: number;
            }[];
            readonly knownShare: number;
            readonly metres: number;
            readonly zone: string;
        };
        readonly SpeedsEffect: {
            readonly drives: number;
            readonly judged: number;
            readonly learnedError: number;
            readonly meanTime: number;
            readonly metres: number;
            readonly since: number;
            readonly usualError: number;
        };
        readonly SpeedsRoads: {
            readonly complete: boolean;
            readonly features: readonly {
                readonly geometry: {
                    readonly coordinates: readonly (readonly number[])[];
                    /** @constant */
                    readonly type: "LineString";
                };
                readonly id: number;
                readonly properties: {
                    /** @enum {string} */
                    readonly level: "hour" | "hour-of-day" | "part-of-day" | "always";
                    readonly name: string;
                    readonly passages: number;
                    readonly speed: number;
                    readonly usualSpeed: number;
                };
                /** @constant */
                readonly type: "Feature";
            }[];
            readonly hour: number;
            /** @constant */
            readonly type: "FeatureCollection";
        };
        readonly Standby: {
            readonly behind: number | null;
            readonly confirmedAt: number | null;
            readonly filled: number;
            readonly isConnected: boolean;
            readonly lastContact: number | null;
            readonly station: {
                readonly id: string;
                readonly name: string;
                readonly number: number;
            };
        };
        readonly Status: {
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly visible: "t" | "f";
        };
        readonly StatusCount: {
            readonly count: number;
            readonly status_id: number;
        };
        readonly SyncState: {
            readonly behind: readonly {
                readonly since: number;
                /** @enum {string} */
                readonly state: "synced" | "behind" | "unreachable" | "paused" | "refused";
                readonly station: {
                    readonly id: string;
                    readonly name: string;
                    readonly number: number;
                };
                readonly waiting: number;
            }[];
            readonly digest: string;
            readonly kinds: readonly {
                readonly in: number;
                /** @enum {string} */
                readonly kind: "tasks" | "vehicles" | "directories" | "accounts" | "events" | "merges";
                readonly out: number;
            }[];
            readonly region: components["schemas"]["Region"] | null;
            readonly rivals: readonly {
                readonly isPromotedHere: boolean;
                readonly since: number;
                readonly station: {
                    readonly id: string;
                    readonly name: string;
                    readonly number: number;
                };
            }[];
            readonly since: number;
            readonly standby: components["schemas"]["Standby"] | null;
            /** @enum {string} */
            readonly state: "synced" | "behind" | "alone";
            readonly waiting: number;
        };
        readonly TakenIncident: {
            readonly comments: number;
            readonly created: boolean;
            readonly newsId: number;
        };
        readonly TelemetryIntake: {
            readonly accepted: number;
            readonly duplicates: number;
            readonly quarantined: readonly {
                readonly index: number;
                readonly reason: string;
            }[];
        };
        readonly Telephony: {
            readonly enabled: boolean;
            readonly extension: string;
        };
        readonly TerritoryOfStation: {
            readonly isHere: boolean;
            readonly link: number;
            readonly station: {
                readonly id: string;
                readonly name: string;
                readonly number: number;
            };
            readonly territory: {
                readonly name: string;
                readonly size: number;
            } | null;
        };
        readonly TrackFileIntake: {
            readonly accepted: number;
            readonly duplicates: number;
            readonly points: number;
            readonly quarantined: number;
        };
        readonly TrackPoint: {
            readonly direction: number;
            readonly height: number;
            readonly lat: number;
            readonly lon: number;
            readonly marks: readonly string[];
            readonly speed: number;
            readonly time: number;
        };
        readonly TypeGroup: {
            readonly id: string;
            readonly name: string;
        };
        readonly UnitStatus: {
            readonly allowedStatuses: readonly number[];
            readonly answeredStatus: number;
            readonly sentTo: number | null;
            readonly unitStatus: number | null;
            readonly unitStatusSince: number | null;
        };
        readonly UnitStatusTimes: {
            readonly from: number;
            readonly notedSince: number;
            readonly till: number;
            readonly units: readonly {
                readonly busy: number;
                readonly carId: number;
                readonly seconds: readonly number[];
                readonly unknown: number;
            }[];
        };
        readonly User: {
            readonly email: string;
            readonly enabled: boolean;
            readonly extension: string;
            readonly fio: string;
            readonly groupId: number;
            readonly id: number;
            readonly login: string;
            readonly monitor: boolean;
            readonly organizationId: number;
            readonly phone: string;
            readonly visible: boolean;
        };
        readonly VehicleCapability: {
            readonly id: number;
            readonly name: string;
        };
        readonly VehicleCustomField: {
            readonly defaultValue: string | number | boolean | null;
            /** @enum {string} */
            readonly format: "string" | "int" | "float" | "date" | "bool" | "list";
            readonly groupName: string;
            readonly id: number;
            readonly isRequired: boolean;
            readonly maxLength: number | null;
            readonly minLength: number | null;
            readonly name: string;
            readonly order: number | null;
            readonly possibleValues: readonly string[] | null;
            readonly regexp: string | null;
            readonly translit: string;
            readonly visible: boolean;
        };
        readonly VehicleGroup: {
            readonly extGroup: string;
            readonly id: number;
            readonly name: string;
            readonly notes: string;
            readonly organizationId: number;
            readonly view: boolean;
        };
        readonly VehicleKind: {
            /** @enum {string} */
            readonly glyph: "truck" | "flame" | "ladder" | "cross" | "shield" | "wrench" | "drop" | "hook" | "snow";
            readonly id: number;
            readonly name: string;
            /** @enum {string} */
            readonly service: "fire" | "medical" | "road" | "municipal" | "other";
            readonly typeIds: readonly number[];
        };
        readonly VehicleModel: {
            readonly expenseOn100km: number | null;
            readonly id: number;
            readonly markId: number;
            readonly maxTank: number | null;
            readonly motohoursMove: number | null;
            readonly motohoursStop: number | null;
            readonly name: string;
        };
        readonly VehicleModelWithMark: {
            readonly expenseOn100km: number | null;
            readonly id: number;
            readonly mark: {
                readonly id: number;
                readonly name: string;
            } | null;
            readonly markId: number;
            readonly maxTank: number | null;
            readonly motohoursMove: number | null;
            readonly motohoursStop: number | null;
            readonly name: string;
        };
        readonly VehicleTag: {
            readonly color: string;
            readonly id: number;
            readonly name: string;
            readonly organizationId: number | null;
        };
        readonly Warning: {
            readonly codes: readonly string[];
            readonly endedAt: number | null;
            readonly feedId: number;
            readonly from: number;
            readonly geometry: ({
                readonly type: string;
            } & {
                readonly [key: string]: unknown;
            }) | null;
            readonly id: number;
            readonly link: string;
            readonly partial: boolean;
            readonly proposal: {
                readonly changed: boolean;
                readonly closureIds: readonly number[];
                readonly factor: number;
                readonly over: boolean;
                /** @enum {string} */
                readonly state: "open" | "accepted" | "declined";
            } | null;
            readonly road: ("roadClosed" | "lanesClosed" | "roadworks" | "accident" | "obstruction" | "roadConditions" | "weather" | "traffic" | "publicEvent" | "other") | null;
            readonly seenAt: number;
            readonly sender: string;
            readonly sentAt: number;
            /** @enum {string} */
            readonly severity: "unknown" | "minor" | "moderate" | "severe" | "extreme";
            readonly texts: readonly {
                readonly area: string;
                readonly description: string;
                readonly event: string;
                readonly headline: string;
                readonly instruction: string;
                readonly language: string;
            }[];
            readonly till: number | null;
        };
        readonly WarningFeed: {
            readonly alarmFrom: ("unknown" | "minor" | "moderate" | "severe" | "extreme") | null;
            readonly current: number;
            readonly enabled: boolean;
            readonly format: ("cap" | "atom" | "rss" | "datex") | null;
            readonly hasSecret: boolean;
            readonly id: number;
            readonly keepsUnlisted: boolean;
            /** @enum {string} */
            readonly leastSeverity: "unknown" | "minor" | "moderate" | "severe" | "extreme";
            readonly login: string;
            readonly name: string;
            readonly onlyTerritory: boolean;
            readonly orgId: number;
            readonly places: readonly string[];
            readonly problems: readonly string[];
            readonly readAt: number | null;
            readonly seconds: number;
            readonly unreachable: boolean;
            readonly url: string;
        };
        readonly WarningFeedPreview: {
            readonly elsewhere: number;
            /** @enum {string} */
            readonly format: "cap" | "atom" | "rss" | "datex";
            readonly ignored: number;
            readonly problems: readonly string[];
            readonly warnings: readonly {
                readonly codes: readonly string[];
                readonly from: number;
                readonly geometry: ({
                    readonly type: string;
                } & {
                    readonly [key: string]: unknown;
                }) | null;
                readonly link: string;
                readonly partial: boolean;
                readonly road: ("roadClosed" | "lanesClosed" | "roadworks" | "accident" | "obstruction" | "roadConditions" | "weather" | "traffic" | "publicEvent" | "other") | null;
                readonly sender: string;
                /** @enum {string} */
                readonly severity: "unknown" | "minor" | "moderate" | "severe" | "extreme";
                readonly texts: readonly {
                    readonly area: string;
                    readonly description: string;
                    readonly event: string;
                    readonly headline: string;
                    readonly instruction: string;
                    readonly language: string;
                }[];
                readonly till: number | null;
            }[];
        };
        readonly Webhook: {
            readonly createdAt: number;
            readonly enabled: boolean;
            readonly failed: number;
            readonly gone: boolean;
            readonly hasPassword: boolean;
            readonly id: number;
            readonly name: string;
            readonly newsTypeIds: readonly number[];
            readonly orgIds: readonly number[];
            readonly ownerId: number;
            readonly types: readonly ("task.created" | "task.changed" | "task.deleted" | "unit.changed" | "comment.created" | "alarm.raised" | "alarm.changed" | "event.created" | "event.changed" | "event.deleted" | "closure.created" | "closure.changed" | "closure.deleted")[];
            readonly url: string;
            readonly waiting: number;
        };
        readonly WebhookDelivery: {
            readonly at: number;
            readonly attempts: number;
            readonly body: string;
            readonly error: string;
            readonly id: number;
            readonly messageId: string;
            readonly nextAt: number | null;
            readonly record: string;
            readonly sentAt: number | null;
            /** @enum {string} */
            readonly state: "blocked" | "waiting" | "sent" | "failed";
            readonly status: number | null;
            readonly type: string;
        };
        readonly WebhookWithSecret: {
            readonly createdAt: number;
            readonly enabled: boolean;
            readonly failed: number;
            readonly gone: boolean;
            readonly hasPassword: boolean;
            readonly id: number;
            readonly name: string;
            readonly newsTypeIds: readonly number[];
            readonly orgIds: readonly number[];
            readonly ownerId: number;
            readonly secret: string;
            readonly types: readonly ("task.created" | "task.changed" | "task.deleted" | "unit.changed" | "comment.created" | "alarm.raised" | "alarm.changed" | "event.created" | "event.changed" | "event.deleted" | "closure.created" | "closure.changed" | "closure.deleted")[];
            readonly url: string;
            readonly waiting: number;
        };
        readonly WholeNewsType: {
            readonly deadline_type: string;
            /** @enum {string} */
            readonly default_type: "t" | "f";
            readonly departments: readonly string[];
            readonly group: {
                readonly id: string;
                readonly name: string;
            } | null;
            readonly group_id: string | null;
            readonly icon: string;
            readonly icon_done: string;
            readonly icon3d: string;
            readonly icon3d_done: string;
            readonly iconmap: string;
            readonly iconmap_done: string;
            readonly iconmap_highlight: string;
            readonly iconmap_highlight_done: string;
            readonly id: string;
            readonly logo: string;
            readonly map_icon: string;
            readonly map_icon_done: string;
            readonly map_icon_highlight: string;
            readonly map_icon_highlight_done: string;
            readonly name: string;
            readonly news_type_id: string;
            readonly period_of_review: string;
            readonly period_of_review_in_sec: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        readonly "Waypost-Refusal": string;
        readonly "Waypost-Refusal-Params": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getWellKnownAcmeChallengeByToken: {
        readonly parameters: {
            readonly path: {
                readonly token: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getAlarms: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly cars?: string;
                readonly from?: number;
                readonly limit?: number;
                readonly priority?: string;
                readonly state?: string;
                readonly till?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Alarm"][];
                };
            };
        };
    };
    readonly getAlarmsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alarm"];
                };
            };
        };
    };
    readonly postAlarmsByIdAcknowledge: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly comment?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alarm"];
                };
            };
        };
    };
    readonly postAlarmsByIdAssign: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly userId: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alarm"];
                };
            };
        };
    };
    readonly postAlarmsByIdShelve: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly reason: string;
                    readonly until: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alarm"];
                };
            };
        };
    };
    readonly postAlarmsByIdUnshelve: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alarm"];
                };
            };
        };
    };
    readonly getAlarmsRules: {
        readonly parameters: {
            readonly query?: {
                readonly organizationId?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AlarmRule"][];
                };
            };
        };
    };
    readonly putAlarmsRules: {
        readonly parameters: {
            readonly query?: {
                readonly organizationId?: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": readonly components["schemas"]["AlarmRule"][];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AlarmRule"][];
                };
            };
        };
    };
    readonly postAlarmsSilence: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Alarm"][];
                };
            };
        };
    };
    readonly getAlarmsStats: {
        readonly parameters: {
            readonly query?: {
                readonly from?: number;
                readonly till?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AlarmRate"];
                };
            };
        };
    };
    readonly getAlarmsSummary: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AlarmSummary"];
                };
            };
        };
    };
    readonly getAlertsAtom: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/atom+xml; charset=utf-8": string;
                };
            };
        };
    };
    readonly getAlertsByIdCap: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/cap+xml; charset=utf-8": string;
                };
            };
        };
    };
    readonly getAsyncapiJson: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json; charset=utf-8": string;
                };
            };
        };
    };
    readonly getAudit: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly from?: number;
                readonly kind?: "signIn" | "session" | "identity" | "key" | "user" | "role" | "organization" | "rule" | "field" | "type" | "closure" | "export" | "retention" | "backup" | "link" | "setting" | "standby" | "territory" | "audit" | "crew" | "deviceCommand" | "access" | "call";
                readonly limit?: number;
                readonly subject?: string;
                readonly text?: string;
                readonly till?: number;
                readonly user?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["AuditEntry"][];
                };
            };
        };
    };
    readonly getAuditExport: {
        readonly parameters: {
            readonly query?: {
                readonly format?: "jsonl" | "csv";
                readonly from?: number;
                readonly kind?: "signIn" | "session" | "identity" | "key" | "user" | "role" | "organization" | "rule" | "field" | "type" | "closure" | "export" | "retention" | "backup" | "link" | "setting" | "standby" | "territory" | "audit" | "crew" | "deviceCommand" | "access" | "call";
                readonly subject?: string;
                readonly text?: string;
                readonly till?: number;
                readonly user?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getAuditVerify: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly broken: {
                            /** @enum {string} */
                            readonly fault: "missing" | "changed" | "end-missing" | "anchor";
                            readonly id: number;
                        } | null;
                        readonly entries: number;
                        readonly from: {
                            readonly hash: string;
                            readonly id: number;
                        };
                        readonly head: {
                            readonly hash: string;
                            readonly id: number;
                        };
                    };
                };
            };
        };
    };
    readonly getAuthAccount: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly keepsRecords: boolean;
                        readonly lockMinutes: number | null;
                        readonly mustChangePassword: boolean;
                        readonly mustSetUpSecondFactor: boolean;
                        readonly passkeys: number;
                        readonly passwordLeast: number;
                        readonly pin: boolean;
                        readonly recoveryCodesLeft: number;
                        readonly secondFactor: boolean;
                        readonly secondFactorRequired: boolean;
                    };
                };
            };
        };
    };
    readonly getAuthKeys: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly createdAt: number;
                        readonly expiresAt: number | null;
                        readonly id: number;
                        readonly name: string;
                        readonly scopes: readonly ("telemetry" | "routing" | "read" | "sync" | "tasks" | "calls" | "citizens")[] | null;
                        readonly usedAt: number;
                        readonly userId: number;
                    }[];
                };
            };
        };
    };
    readonly postAuthKeys: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly expiresAt?: number | null;
                    readonly name: string;
                    readonly scopes?: readonly ("telemetry" | "routing" | "read" | "sync" | "tasks" | "calls" | "citizens")[] | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly expiresAt: number | null;
                        readonly id: number;
                        readonly name: string;
                        readonly scopes: readonly ("telemetry" | "routing" | "read" | "sync" | "tasks" | "calls" | "citizens")[] | null;
                        readonly token: string;
                    };
                };
            };
        };
    };
    readonly deleteAuthKeysById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthLogin: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code?: string;
                    readonly login: string;
                    readonly passkey?: components["schemas"]["PublicKeyCredential"];
                    readonly password: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly expiresAt: number;
                        readonly token: string;
                        readonly user: components["schemas"]["CurrentUser"];
                    };
                };
            };
        };
    };
    readonly postAuthLogout: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly provider?: string;
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getAuthMethods: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly passkeys: boolean;
                        readonly provider: {
                            readonly name: string;
                            readonly origin: string;
                        } | null;
                    };
                };
            };
        };
    };
    readonly getAuthOidc: {
        readonly parameters: {
            readonly query?: {
                readonly challenge?: string;
                readonly loopback?: number;
                readonly state?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly getAuthOidcCallback: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly postAuthOidcHandOver: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code: string;
                    readonly verifier: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthPasskey: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly credential: components["schemas"]["PublicKeyCredential"];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly expiresAt: number;
                        readonly token: string;
                        readonly user: components["schemas"]["CurrentUser"];
                    };
                };
            };
        };
    };
    readonly postAuthPasskeyChallenge: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly challenge: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getAuthPasskeys: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly passkeys: readonly components["schemas"]["Passkey"][];
                        readonly problem: ("address" | "tls") | null;
                    };
                };
            };
        };
    };
    readonly postAuthPasskeys: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly credential: components["schemas"]["PublicKeyCredential"];
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly recoveryCodes: readonly string[] | null;
                    };
                };
            };
        };
    };
    readonly putAuthPasskeysById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthPasskeysByIdRemove: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly password: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthPasskeysBegin: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly password: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly challenge: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly postAuthPassword: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly newPassword: string;
                    readonly oldPassword: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthPin: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly password: string;
                    readonly pin: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getAuthPreferences: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly values: {
                            readonly [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    readonly putAuthPreferences: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly values: {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getAuthSessions: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Session"][];
                };
            };
        };
    };
    readonly postAuthSessionsEnd: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly id?: number;
                    readonly password?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthTotp: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly password: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly secret: string;
                        readonly uri: string;
                    };
                };
            };
        };
    };
    readonly postAuthTotpConfirm: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly recoveryCodes: readonly string[];
                    };
                };
            };
        };
    };
    readonly postAuthTotpRemove: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly password: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postAuthUnlock: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly secret: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getBackups: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly backups: readonly components["schemas"]["Backup"][];
                        readonly empty: boolean;
                        readonly encrypted: boolean;
                        readonly folder: string;
                        readonly lastAttempt: number | null;
                        readonly lastGood: components["schemas"]["Backup"] | null;
                        readonly next: number | null;
                        readonly problems: readonly components["schemas"]["BackupProblem"][];
                        readonly running: string | null;
                        readonly second: {
                            readonly backups: readonly components["schemas"]["Backup"][];
                            readonly folder: string;
                            readonly upToDateAt: number | null;
                        } | null;
                        readonly time: string | null;
                    };
                };
            };
        };
    };
    readonly postBackups: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postBackupsByIdRestore: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly passphrase?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly restarts: boolean;
                    };
                };
            };
        };
    };
    readonly postBackupsCopies: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly file: string;
                    readonly territory: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getBoard: {
        readonly parameters: {
            readonly query: {
                readonly at: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PastBoard"];
                };
            };
        };
    };
    readonly getBoardNewsById: {
        readonly parameters: {
            readonly query: {
                readonly at: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewsDetail"];
                };
            };
        };
    };
    readonly getCallProtocols: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CallProtocol"][];
                };
            };
        };
    };
    readonly postCallProtocols: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    readonly questions: readonly {
                        readonly answers: readonly {
                            /** @default  */
                            readonly advice?: string;
                            readonly needs?: readonly {
                                readonly capabilityIds?: readonly number[];
                                /** @default 1 */
                                readonly count?: number;
                                readonly kindId?: number | null;
                                /** @default  */
                                readonly role?: string;
                            }[];
                            readonly nextId?: number | null;
                            readonly priority?: number | null;
                            readonly text: string;
                            readonly typeId?: number | null;
                        }[];
                        readonly id: number;
                        readonly text: string;
                    }[];
                    readonly typeIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CallProtocol"];
                };
            };
        };
    };
    readonly getCallProtocolsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CallProtocol"];
                };
            };
        };
    };
    readonly putCallProtocolsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                    readonly questions?: readonly {
                        readonly answers: readonly {
                            /** @default  */
                            readonly advice?: string;
                            readonly needs?: readonly {
                                readonly capabilityIds?: readonly number[];
                                /** @default 1 */
                                readonly count?: number;
                                readonly kindId?: number | null;
                                /** @default  */
                                readonly role?: string;
                            }[];
                            readonly nextId?: number | null;
                            readonly priority?: number | null;
                            readonly text: string;
                            readonly typeId?: number | null;
                        }[];
                        readonly id: number;
                        readonly text: string;
                    }[];
                    readonly typeIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CallProtocol"];
                };
            };
        };
    };
    readonly deleteCallProtocolsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCalls: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly newsId?: number;
                readonly number?: string;
                readonly open?: true | false;
                readonly state?: "ringing" | "taken" | "ended" | "missed";
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Call"][];
                };
            };
        };
    };
    readonly postCalls: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly lat?: number | null;
                    readonly line?: string | null;
                    readonly lon?: number | null;
                    readonly name?: string | null;
                    readonly number: string;
                    readonly text?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    readonly postCallsByIdEnd: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly newsId?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    readonly postCallsByIdTake: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    readonly getCapabilities: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleCapability"][];
                };
            };
        };
    };
    readonly postCapabilities: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleCapability"];
                };
            };
        };
    };
    readonly getCapabilitiesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleCapability"];
                };
            };
        };
    };
    readonly putCapabilitiesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleCapability"];
                };
            };
        };
    };
    readonly deleteCapabilitiesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCars: {
        readonly parameters: {
            readonly query?: {
                readonly capabilities?: string;
                readonly devimei?: string;
                readonly devphone?: string;
                readonly glonassId?: number;
                readonly groups?: string;
                readonly kinds?: string;
                readonly name?: string;
                readonly onService?: true | false;
                readonly organizations?: string;
                readonly stopped?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CarItem"][];
                };
            };
        };
    };
    readonly postCars: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly capabilityIds?: readonly number[] | null;
                    readonly carInfo?: {
                        readonly carNo?: string | null;
                        readonly kmNextTo?: number | null;
                        readonly mark?: {
                            readonly id?: null | number;
                        } | null;
                        readonly model?: {
                            readonly id?: null | number;
                        } | null;
                        readonly notes?: string | null;
                    } | null;
                    readonly carNo?: string | null;
                    readonly customFields?: {
                        readonly [key: string]: unknown;
                    } | null;
                    readonly devimei?: string | null;
                    readonly devpassword?: string | null;
                    readonly devphone?: string | null;
                    readonly driversIds?: readonly number[] | null;
                    readonly glonassId?: number | null;
                    readonly group?: {
                        readonly id?: null | number;
                    } | null;
                    readonly groupId?: null | number;
                    readonly iconIndex?: number | null;
                    readonly iconStandard?: boolean | null;
                    readonly info?: {
                        readonly odometr?: number;
                    } | null;
                    readonly kindId?: null | number;
                    readonly kmNextTo?: number | null;
                    readonly lastUpdate?: number | null;
                    readonly markId?: null | number;
                    readonly modelId?: null | number;
                    readonly motohours?: {
                        readonly move?: number;
                        readonly stop?: number;
                    } | null;
                    readonly name: string;
                    readonly notes?: string | null;
                    readonly onService?: boolean | null;
                    readonly organizationId?: number | null;
                    readonly pic?: string | null;
                    readonly profile?: string | null;
                    readonly projectPoints?: boolean | null;
                    readonly tagsIds?: readonly number[] | null;
                    readonly view?: boolean | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CarDetail"];
                };
            };
        };
    };
    readonly getCarsXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly capabilities?: string;
                readonly devimei?: string;
                readonly devphone?: string;
                readonly glonassId?: number;
                readonly groups?: string;
                readonly kinds?: string;
                readonly lang?: "en" | "ru";
                readonly name?: string;
                readonly onService?: true | false;
                readonly organizations?: string;
                readonly stopped?: true | false;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.ms-excel": string;
                };
            };
        };
    };
    readonly getCarsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CarDetail"];
                };
            };
        };
    };
    readonly putCarsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly capabilityIds?: readonly number[] | null;
                    readonly carInfo?: {
                        readonly carNo?: string | null;
                        readonly kmNextTo?: number | null;
                        readonly mark?: {
                            readonly id?: null | number;
                        } | null;
                        readonly model?: {
                            readonly id?: null | number;
                        } | null;
                        readonly notes?: string | null;
                    } | null;
                    readonly carNo?: string | null;
                    readonly customFields?: {
                        readonly [key: string]: unknown;
                    } | null;
                    readonly devimei?: string | null;
                    readonly devpassword?: string | null;
                    readonly devphone?: string | null;
                    readonly driversIds?: readonly number[] | null;
                    readonly glonassId?: number | null;
                    readonly group?: {
                        readonly id?: null | number;
                    } | null;
                    readonly groupId?: null | number;
                    readonly iconIndex?: number | null;
                    readonly iconStandard?: boolean | null;
                    readonly info?: {
                        readonly odometr?: number;
                    } | null;
                    readonly kindId?: null | number;
                    readonly kmNextTo?: number | null;
                    readonly lastUpdate?: number | null;
                    readonly markId?: null | number;
                    readonly modelId?: null | number;
                    readonly motohours?: {
                        readonly move?: number;
                        readonly stop?: number;
                    } | null;
                    readonly name?: string | null;
                    readonly notes?: string | null;
                    readonly onService?: boolean | null;
                    readonly organizationId?: number | null;
                    readonly profile?: string | null;
                    readonly projectPoints?: boolean | null;
                    readonly tagsIds?: readonly number[] | null;
                    readonly view?: boolean | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CarDetail"];
                };
            };
        };
    };
    readonly deleteCarsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCarsByIdCommands: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["DeviceCommand"][];
                };
            };
        };
    };
    readonly postCarsByIdCommands: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly keepFor?: number;
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeviceCommand"];
                };
            };
        };
    };
    readonly deleteCarsByIdCommandsByCommandId: {
        readonly parameters: {
            readonly path: {
                readonly commandId: number;
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeviceCommand"];
                };
            };
        };
    };
    readonly postCarsByIdHeard: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly at: number;
                        readonly carId: number;
                    };
                };
            };
        };
    };
    readonly getCarsByIdPic: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/png": string;
                };
            };
        };
    };
    readonly putCarsByIdPic: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly fileName: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly deleteCarsByIdPic: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCarsByIdSensorsValues: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CurrentSensorValue"][];
                };
            };
        };
    };
    readonly getCarsByIdStatus: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnitStatus"];
                };
            };
        };
    };
    readonly putCarsByIdStatus: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @constant */
                    readonly answered?: true;
                    readonly back?: boolean;
                    readonly status?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CarDetail"];
                };
            };
        };
    };
    readonly getCarsByIdThumb: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/png": string;
                };
            };
        };
    };
    readonly getCarsByIdTrack: {
        readonly parameters: {
            readonly query: {
                readonly from: number;
                readonly simplify?: number;
                readonly till: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["TrackPoint"][];
                };
            };
        };
    };
    readonly postCarsByIdTrack: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/octet-stream": string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TrackFileIntake"];
                };
            };
        };
    };
    readonly getCarsByIdTrackCsv: {
        readonly parameters: {
            readonly query: {
                readonly from: number;
                readonly till: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly getCarsByIdTrackGeojson: {
        readonly parameters: {
            readonly query: {
                readonly from: number;
                readonly till: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/geo+json": string;
                };
            };
        };
    };
    readonly getCarsByIdTrackGpx: {
        readonly parameters: {
            readonly query: {
                readonly from: number;
                readonly till: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/gpx+xml": string;
                };
            };
        };
    };
    readonly getCarsByIdTrackKml: {
        readonly parameters: {
            readonly query: {
                readonly from: number;
                readonly till: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.google-earth.kml+xml": string;
                };
            };
        };
    };
    readonly getCarsCount: {
        readonly parameters: {
            readonly query?: {
                readonly capabilities?: string;
                readonly devimei?: string;
                readonly devphone?: string;
                readonly glonassId?: number;
                readonly groups?: string;
                readonly kinds?: string;
                readonly name?: string;
                readonly onService?: true | false;
                readonly organizations?: string;
                readonly stopped?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getCarsCustomfields: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleCustomField"][];
                };
            };
        };
    };
    readonly postCarsCustomfields: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly defaultValue?: string | number | boolean | null;
                    /** @enum {string} */
                    readonly format: "string" | "int" | "float" | "date" | "bool" | "list";
                    readonly groupName?: string | null;
                    readonly isRequired?: boolean | null;
                    readonly maxLength?: number | null;
                    readonly minLength?: number | null;
                    readonly name: string;
                    readonly order?: number | null;
                    readonly possibleValues?: readonly string[] | null;
                    readonly regexp?: string | null;
                    readonly visible?: boolean | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleCustomField"];
                };
            };
        };
    };
    readonly getCarsCustomfieldsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleCustomField"];
                };
            };
        };
    };
    readonly putCarsCustomfieldsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly defaultValue?: string | number | boolean | null;
                    /** @enum {string} */
                    readonly format?: "string" | "int" | "float" | "date" | "bool" | "list";
                    readonly groupName?: string | null;
                    readonly isRequired?: boolean | null;
                    readonly maxLength?: number | null;
                    readonly minLength?: number | null;
                    readonly name?: string;
                    readonly order?: number | null;
                    readonly possibleValues?: readonly string[] | null;
                    readonly regexp?: string | null;
                    readonly visible?: boolean | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleCustomField"];
                };
            };
        };
    };
    readonly deleteCarsCustomfieldsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCarsGroups: {
        readonly parameters: {
            readonly query?: {
                readonly name?: string;
                readonly organizations?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleGroup"][];
                };
            };
        };
    };
    readonly postCarsGroups: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly extGroup?: string;
                    readonly name: string;
                    readonly notes?: string;
                    readonly organizationId?: number;
                    readonly view?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleGroup"];
                };
            };
        };
    };
    readonly getCarsGroupsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleGroup"];
                };
            };
        };
    };
    readonly putCarsGroupsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly extGroup?: string;
                    readonly name?: string;
                    readonly notes?: string;
                    readonly organizationId?: number;
                    readonly view?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleGroup"];
                };
            };
        };
    };
    readonly deleteCarsGroupsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCarsMarks: {
        readonly parameters: {
            readonly query?: {
                readonly name?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly id: number;
                        readonly name: string;
                    }[];
                };
            };
        };
    };
    readonly postCarsMarks: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: number;
                        readonly name: string;
                    };
                };
            };
        };
    };
    readonly getCarsMarksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: number;
                        readonly name: string;
                    };
                };
            };
        };
    };
    readonly putCarsMarksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly id: number;
                        readonly name: string;
                    };
                };
            };
        };
    };
    readonly deleteCarsMarksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCarsMarksByIdModels: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleModel"][];
                };
            };
        };
    };
    readonly getCarsModels: {
        readonly parameters: {
            readonly query?: {
                readonly expenseOn100km?: number;
                readonly mark?: string;
                readonly maxTank?: number;
                readonly motohoursMove?: number;
                readonly motohoursStop?: number;
                readonly name?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleModel"][];
                };
            };
        };
    };
    readonly postCarsModels: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly expenseOn100km?: number | null;
                    readonly markId: number;
                    readonly maxTank?: number | null;
                    readonly motohoursMove?: number | null;
                    readonly motohoursStop?: number | null;
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleModelWithMark"];
                };
            };
        };
    };
    readonly getCarsModelsXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly expenseOn100km?: number;
                readonly lang?: "en" | "ru";
                readonly mark?: string;
                readonly maxTank?: number;
                readonly motohoursMove?: number;
                readonly motohoursStop?: number;
                readonly name?: string;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.ms-excel": string;
                };
            };
        };
    };
    readonly getCarsModelsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleModelWithMark"];
                };
            };
        };
    };
    readonly putCarsModelsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly expenseOn100km?: number | null;
                    readonly markId?: number;
                    readonly maxTank?: number | null;
                    readonly motohoursMove?: number | null;
                    readonly motohoursStop?: number | null;
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleModelWithMark"];
                };
            };
        };
    };
    readonly deleteCarsModelsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCarsModelsCount: {
        readonly parameters: {
            readonly query?: {
                readonly expenseOn100km?: number;
                readonly mark?: string;
                readonly maxTank?: number;
                readonly motohoursMove?: number;
                readonly motohoursStop?: number;
                readonly name?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getCarsTags: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleTag"][];
                };
            };
        };
    };
    readonly postCarsTags: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly color?: string;
                    readonly name: string;
                    readonly organizationId?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleTag"];
                };
            };
        };
    };
    readonly getCarsTagsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleTag"];
                };
            };
        };
    };
    readonly putCarsTagsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly color?: string;
                    readonly name?: string;
                    readonly organizationId?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleTag"];
                };
            };
        };
    };
    readonly deleteCarsTagsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCategory: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly category: readonly components["schemas"]["Category"][];
                    };
                };
            };
        };
    };
    readonly postCategory: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly icon?: string;
                    readonly name: string;
                    readonly order_important?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly category: components["schemas"]["Category"];
                    };
                };
            };
        };
    };
    readonly putCategoryById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly icon?: string;
                    readonly name?: string;
                    readonly order_important?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly category: components["schemas"]["Category"];
                    };
                };
            };
        };
    };
    readonly deleteCategoryById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getChanges: {
        readonly parameters: {
            readonly query?: {
                readonly types?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
        };
    };
    readonly getCitizensForm: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CitizensForm"];
                };
            };
        };
    };
    readonly postCitizensPhotos: {
        readonly parameters: {
            readonly query: {
                readonly name: string;
                readonly token: string;
                readonly typeId: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/octet-stream": string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly uuid: string;
                    };
                };
            };
        };
    };
    readonly getCitizensPlace: {
        readonly parameters: {
            readonly query: {
                readonly lang?: string;
                readonly lat: number;
                readonly lon: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly label: string;
                        readonly lat: number;
                        readonly lon: number;
                    };
                };
            };
        };
    };
    readonly getCitizensPlaces: {
        readonly parameters: {
            readonly query: {
                readonly lang?: string;
                readonly query: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly label: string;
                        readonly lat: number;
                        readonly lon: number;
                    }[];
                };
            };
        };
    };
    readonly postCitizensReports: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default  */
                    readonly address?: string;
                    readonly description: string;
                    /** @default  */
                    readonly email?: string;
                    /** @default {} */
                    readonly fields?: {
                        readonly [key: string]: string | number | boolean;
                    };
                    /** @default  */
                    readonly name?: string;
                    /** @default  */
                    readonly phone?: string;
                    /** @default [] */
                    readonly photos?: readonly string[];
                    readonly point?: {
                        readonly lat: number;
                        readonly lon: number;
                    } | null;
                    readonly token: string;
                    readonly typeId: number;
                    /** @default  */
                    readonly website?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly code: string;
                        readonly id: number;
                    };
                };
            };
        };
    };
    readonly getCitizensReportsById: {
        readonly parameters: {
            readonly query: {
                readonly code: string;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CitizensReport"];
                };
            };
        };
    };
    readonly getCitizensTilesByZByXByYMvt: {
        readonly parameters: {
            readonly query?: {
                readonly territory?: string;
            };
            readonly path: {
                readonly x: number;
                readonly y: number;
                readonly z: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.mapbox-vector-tile": string;
                };
            };
        };
    };
    readonly getClosures: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Closure"][];
                };
            };
        };
    };
    readonly postClosures: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly factor?: number;
                    readonly from?: number | null;
                    readonly geometry: {
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "Point" | "LineString" | "Polygon";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                    readonly reason?: string | null;
                    readonly till?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Closure"];
                };
            };
        };
    };
    readonly getClosuresIcs: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/calendar; charset=utf-8": string;
                };
            };
        };
    };
    readonly getClosuresById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Closure"];
                };
            };
        };
    };
    readonly putClosuresById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly factor?: number;
                    readonly from?: number | null;
                    readonly geometry?: {
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "Point" | "LineString" | "Polygon";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly reason?: string | null;
                    readonly till?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Closure"];
                };
            };
        };
    };
    readonly deleteClosuresById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postClosuresPreview: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly geometry: {
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "Point" | "LineString" | "Polygon";
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClosurePreview"];
                };
            };
        };
    };
    readonly postCrewActions: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly action: {
                        /** @constant */
                        readonly kind: "status";
                        readonly status: number;
                    } | {
                        /** @constant */
                        readonly kind: "accept";
                        readonly taskId: number;
                    } | {
                        /** @constant */
                        readonly kind: "giveBack";
                        readonly reason: string;
                        readonly taskId: number;
                    } | {
                        /** @constant */
                        readonly kind: "say";
                        readonly text: string;
                    } | {
                        readonly ids: readonly number[];
                        /** @constant */
                        readonly kind: "receipt";
                        /** @enum {string} */
                        readonly mark: "delivered" | "read" | "answered";
                    } | {
                        /** @constant */
                        readonly kind: "comment";
                        readonly taskId: number;
                        readonly text: string;
                    };
                    readonly age: number;
                    readonly key: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly repeated: boolean;
                    };
                };
            };
        };
    };
    readonly postCrewFiles: {
        readonly parameters: {
            readonly query: {
                readonly age: number;
                readonly key: string;
                readonly name: string;
                readonly taskId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/octet-stream": string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly repeated: boolean;
                    };
                };
            };
        };
    };
    readonly postCrewPositions: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly fixes: readonly {
                        readonly age: number;
                        readonly direction?: number | null;
                        readonly lat: number;
                        readonly lon: number;
                        readonly speed?: number | null;
                    }[];
                    readonly key: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postCrewSignIn: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly carName: string;
                    };
                };
            };
        };
    };
    readonly postCrewSignOut: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getCrewState: {
        readonly parameters: {
            readonly query?: {
                readonly known?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CrewState"];
                };
            };
        };
    };
    readonly getCrewTasksByTaskIdFilesByFileId: {
        readonly parameters: {
            readonly query?: {
                readonly small?: true | false;
            };
            readonly path: {
                readonly fileId: number;
                readonly taskId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getCrewTilesByZByXByYMvt: {
        readonly parameters: {
            readonly query?: {
                readonly territory?: string;
            };
            readonly path: {
                readonly x: number;
                readonly y: number;
                readonly z: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.mapbox-vector-tile": string;
                };
            };
        };
    };
    readonly getCrewWay: {
        readonly parameters: {
            readonly query: {
                readonly lat?: number;
                readonly lon?: number;
                readonly taskId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CrewWay"] | null;
                };
            };
        };
    };
    readonly postCrewsCodes: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly carId: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly carName: string;
                        readonly code: string;
                        readonly expiresAt: number;
                        readonly path: string;
                    };
                };
            };
        };
    };
    readonly getCrewsMessages: {
        readonly parameters: {
            readonly query?: {
                readonly carId?: number;
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CrewMessage"][];
                };
            };
        };
    };
    readonly postCrewsMessages: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly carId?: number | null;
                    readonly groupId?: number | null;
                    readonly mustAnswer?: boolean;
                    readonly sms?: boolean;
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CrewMessage"];
                };
            };
        };
    };
    readonly postCrewsMessagesByIdRead: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CrewMessage"];
                };
            };
        };
    };
    readonly getCrewsSessions: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CrewSession"][];
                };
            };
        };
    };
    readonly deleteCrewsSessionsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postCustomField: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly default_value?: string;
                    /** @enum {string} */
                    readonly format: "int" | "float" | "bool" | "geometry" | "string" | "text" | "list" | "date";
                    readonly group_name?: string;
                    readonly hint?: string;
                    readonly is_for_all?: boolean;
                    readonly is_required?: boolean;
                    readonly max_length?: number;
                    readonly min_length?: number;
                    readonly name: string;
                    readonly news_type_ids?: readonly number[];
                    readonly possible_values?: null | "" | readonly string[];
                    readonly regexp?: null | "" | string;
                    readonly visible?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & components["schemas"]["CustomField"];
                };
            };
        };
    };
    readonly getCustomFieldById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & components["schemas"]["CustomField"];
                };
            };
        };
    };
    readonly putCustomFieldById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly default_value?: string;
                    /** @enum {string} */
                    readonly format?: "int" | "float" | "bool" | "geometry" | "string" | "text" | "list" | "date";
                    readonly group_name?: string;
                    readonly hint?: string;
                    readonly is_for_all?: boolean;
                    readonly is_required?: boolean;
                    readonly max_length?: number;
                    readonly min_length?: number;
                    readonly name?: string;
                    readonly news_type_ids?: readonly number[];
                    readonly possible_values?: null | "" | readonly string[];
                    readonly regexp?: null | "" | string;
                    readonly visible?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & components["schemas"]["CustomField"];
                };
            };
        };
    };
    readonly deleteCustomFieldById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly postCustomFieldByIdRestore: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & components["schemas"]["CustomField"];
                };
            };
        };
    };
    readonly postCustomFieldSort: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly ids: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly custom_fields: readonly components["schemas"]["CustomField"][];
                    };
                };
            };
        };
    };
    readonly getDepartmentFilesDifFilesByName: {
        readonly parameters: {
            readonly path: {
                readonly name: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getDepartmentFilesNewsCategoryByName: {
        readonly parameters: {
            readonly path: {
                readonly name: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/*": string;
                };
            };
        };
    };
    readonly getDepartmentFilesPhotosByName: {
        readonly parameters: {
            readonly path: {
                readonly name: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getDepartmentFilesSoundsByName: {
        readonly parameters: {
            readonly path: {
                readonly name: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getDepartmentFilesVideoByName: {
        readonly parameters: {
            readonly path: {
                readonly name: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getDictionaryIcons: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["IconItem"][];
                };
            };
        };
    };
    readonly postDictionaryIcons: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    readonly uuid: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Icon"];
                };
            };
        };
    };
    readonly putDictionaryIconsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                    readonly uuid?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Icon"];
                };
            };
        };
    };
    readonly deleteDictionaryIconsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly delete: true;
                    };
                };
            };
        };
    };
    readonly getDictionaryIconsByIdView: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/*": string;
                };
            };
        };
    };
    readonly getDictionaryIconsEditable: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["IconItem"][];
                };
            };
        };
    };
    readonly getDispatchSettings: {
        readonly parameters: {
            readonly query?: {
                readonly orgId?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DispatchSettings"];
                };
            };
        };
    };
    readonly putDispatchSettings: {
        readonly parameters: {
            readonly query?: {
                readonly orgId?: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly leadSeconds: number;
                    readonly targets: readonly {
                        readonly onSceneSeconds: number;
                        readonly sentSeconds: number;
                    }[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DispatchSettings"];
                };
            };
        };
    };
    readonly getDocs: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html; charset=utf-8": string;
                };
            };
        };
    };
    readonly getDrivers: {
        readonly parameters: {
            readonly query?: {
                readonly extId?: string;
                readonly fio?: string;
                readonly hasPhoto?: true | false;
                readonly notes?: string;
                readonly organizations?: string;
                readonly phone?: string;
                readonly wire?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["DriverItem"][];
                };
            };
        };
    };
    readonly postDrivers: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly extId?: string | null;
                    readonly fio: string;
                    readonly notes?: string | null;
                    readonly orgId?: number | null;
                    readonly phone?: string | null;
                    readonly wire?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DriverItem"];
                };
            };
        };
    };
    readonly getDriversXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly extId?: string;
                readonly fio?: string;
                readonly hasPhoto?: true | false;
                readonly lang?: "en" | "ru";
                readonly notes?: string;
                readonly organizations?: string;
                readonly phone?: string;
                readonly tz?: string;
                readonly wire?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.ms-excel": string;
                };
            };
        };
    };
    readonly getDriversById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Driver"];
                };
            };
        };
    };
    readonly putDriversById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly extId?: string | null;
                    readonly fio?: string;
                    readonly notes?: string | null;
                    readonly orgId?: number | null;
                    readonly phone?: string | null;
                    readonly wire?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DriverItem"];
                };
            };
        };
    };
    readonly deleteDriversById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getDriversByIdPhoto: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/png": string;
                };
            };
        };
    };
    readonly putDriversByIdPhoto: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly fileName: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readonly deleteDriversByIdPhoto: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getDriversAll: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["DriverItem"][];
                };
            };
        };
    };
    readonly postDuties: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly carId?: number | null;
                    readonly driverIds?: readonly number[];
                    readonly name?: string;
                    readonly userIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Duty"];
                };
            };
        };
    };
    readonly putDutiesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly driverIds?: readonly number[];
                    readonly name?: string;
                    readonly userIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Duty"];
                };
            };
        };
    };
    readonly postDutiesByIdEnd: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Duty"];
                };
            };
        };
    };
    readonly postDutiesByIdRoll: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly present: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Duty"];
                };
            };
        };
    };
    readonly postEido: {
        readonly parameters: {
            readonly query: {
                readonly newsTypeId: number;
                readonly orgId?: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly $id: string;
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TakenIncident"];
                };
            };
        };
    };
    readonly getEvents: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly cars?: string;
                readonly from?: number;
                readonly limit?: number;
                readonly till?: number;
                readonly types?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Event"][];
                };
            };
        };
    };
    readonly getEventsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    readonly getEventsLast: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Event"][];
                };
            };
        };
    };
    readonly getEventsReplay: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly done: number | null;
                        readonly running: boolean;
                    };
                };
            };
        };
    };
    readonly postEventsReplay: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly cars?: readonly number[];
                    readonly from: number;
                    /** @enum {string} */
                    readonly of?: "organization" | "vehicle";
                    readonly settings: {
                        readonly corridor?: number;
                        readonly driverGrace?: number;
                        readonly fuelLitres?: number;
                        readonly fuelShare?: number;
                        readonly fuelWithin?: number;
                        readonly longStopAfter?: number;
                        readonly lostAfter?: number;
                        readonly noFixAfter?: number;
                        readonly parkingAfter?: number;
                        readonly requestPersistence?: number;
                        readonly requestRadius?: number;
                        readonly sensorDebounce?: number;
                        readonly speedLimit?: number;
                        readonly speedPersistence?: number;
                        readonly standingSpeed?: number;
                        readonly stopAfter?: number;
                        readonly turnAngle?: number;
                        readonly turnSpeed?: number;
                        readonly zoneMargin?: number;
                        readonly zonePersistence?: number;
                    };
                    readonly till: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventReplay"];
                };
            };
        };
    };
    readonly getEventsSettings: {
        readonly parameters: {
            readonly query?: {
                readonly organizationId?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventSettings"];
                };
            };
        };
    };
    readonly putEventsSettings: {
        readonly parameters: {
            readonly query?: {
                readonly organizationId?: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly corridor?: number | null;
                    readonly driverGrace?: number | null;
                    readonly fuelLitres?: number | null;
                    readonly fuelShare?: number | null;
                    readonly fuelWithin?: number | null;
                    readonly longStopAfter?: number | null;
                    readonly lostAfter?: number | null;
                    readonly noFixAfter?: number | null;
                    readonly parkingAfter?: number | null;
                    readonly requestPersistence?: number | null;
                    readonly requestRadius?: number | null;
                    readonly sensorDebounce?: number | null;
                    readonly speedLimit?: number | null;
                    readonly speedPersistence?: number | null;
                    readonly standingSpeed?: number | null;
                    readonly stopAfter?: number | null;
                    readonly turnAngle?: number | null;
                    readonly turnSpeed?: number | null;
                    readonly zoneMargin?: number | null;
                    readonly zonePersistence?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventSettings"];
                };
            };
        };
    };
    readonly getEventsSettingsCars: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly carId: number;
                        readonly settings: {
                            readonly corridor?: number;
                            readonly driverGrace?: number;
                            readonly fuelLitres?: number;
                            readonly fuelShare?: number;
                            readonly fuelWithin?: number;
                            readonly longStopAfter?: number;
                            readonly lostAfter?: number;
                            readonly noFixAfter?: number;
                            readonly parkingAfter?: number;
                            readonly requestPersistence?: number;
                            readonly requestRadius?: number;
                            readonly sensorDebounce?: number;
                            readonly speedLimit?: number;
                            readonly speedPersistence?: number;
                            readonly standingSpeed?: number;
                            readonly stopAfter?: number;
                            readonly turnAngle?: number;
                            readonly turnSpeed?: number;
                            readonly zoneMargin?: number;
                            readonly zonePersistence?: number;
                        };
                    }[];
                };
            };
        };
    };
    readonly getEventsSettingsCarsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly corridor?: number;
                        readonly driverGrace?: number;
                        readonly fuelLitres?: number;
                        readonly fuelShare?: number;
                        readonly fuelWithin?: number;
                        readonly longStopAfter?: number;
                        readonly lostAfter?: number;
                        readonly noFixAfter?: number;
                        readonly parkingAfter?: number;
                        readonly requestPersistence?: number;
                        readonly requestRadius?: number;
                        readonly sensorDebounce?: number;
                        readonly speedLimit?: number;
                        readonly speedPersistence?: number;
                        readonly standingSpeed?: number;
                        readonly stopAfter?: number;
                        readonly turnAngle?: number;
                        readonly turnSpeed?: number;
                        readonly zoneMargin?: number;
                        readonly zonePersistence?: number;
                    };
                };
            };
        };
    };
    readonly putEventsSettingsCarsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly corridor?: number | null;
                    readonly driverGrace?: number | null;
                    readonly fuelLitres?: number | null;
                    readonly fuelShare?: number | null;
                    readonly fuelWithin?: number | null;
                    readonly longStopAfter?: number | null;
                    readonly lostAfter?: number | null;
                    readonly noFixAfter?: number | null;
                    readonly parkingAfter?: number | null;
                    readonly requestPersistence?: number | null;
                    readonly requestRadius?: number | null;
                    readonly sensorDebounce?: number | null;
                    readonly speedLimit?: number | null;
                    readonly speedPersistence?: number | null;
                    readonly standingSpeed?: number | null;
                    readonly stopAfter?: number | null;
                    readonly turnAngle?: number | null;
                    readonly turnSpeed?: number | null;
                    readonly zoneMargin?: number | null;
                    readonly zonePersistence?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly corridor?: number;
                        readonly driverGrace?: number;
                        readonly fuelLitres?: number;
                        readonly fuelShare?: number;
                        readonly fuelWithin?: number;
                        readonly longStopAfter?: number;
                        readonly lostAfter?: number;
                        readonly noFixAfter?: number;
                        readonly parkingAfter?: number;
                        readonly requestPersistence?: number;
                        readonly requestRadius?: number;
                        readonly sensorDebounce?: number;
                        readonly speedLimit?: number;
                        readonly speedPersistence?: number;
                        readonly standingSpeed?: number;
                        readonly stopAfter?: number;
                        readonly turnAngle?: number;
                        readonly turnSpeed?: number;
                        readonly zoneMargin?: number;
                        readonly zonePersistence?: number;
                    };
                };
            };
        };
    };
    readonly getEventsTypes: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["EventType"][];
                };
            };
        };
    };
    readonly postFileload: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": Record<string, never>;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: readonly string[];
                    };
                };
            };
        };
    };
    readonly getFileloadByUuid: {
        readonly parameters: {
            readonly path: {
                readonly uuid: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly deleteFileloadByUuid: {
        readonly parameters: {
            readonly path: {
                readonly uuid: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getFileloadByUuidByWidthByHeight: {
        readonly parameters: {
            readonly query?: {
                readonly fit?: "fill" | "inside";
            };
            readonly path: {
                readonly height: number;
                readonly uuid: string;
                readonly width: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/*": string;
                };
            };
        };
    };
    readonly getFirstRun: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly code?: true;
                        readonly needed: boolean;
                    };
                };
            };
        };
    };
    readonly postFirstRun: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code?: string;
                    readonly fio: string;
                    readonly login: string;
                    readonly organization: string;
                    readonly password: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly expiresAt: number;
                        readonly token: string;
                        readonly user: components["schemas"]["CurrentUser"];
                    };
                };
            };
        };
    };
    readonly postFirstRunBackups: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code?: string;
                    readonly path: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["FoundBackup"][];
                };
            };
        };
    };
    readonly postFirstRunRestore: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly code?: string;
                    readonly from: string;
                    readonly passphrase?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly restarts: boolean;
                    };
                };
            };
        };
    };
    readonly getGeocoding: {
        readonly parameters: {
            readonly query?: {
                readonly city?: string;
                readonly details?: true | false;
                readonly lang?: string;
                readonly lat?: number;
                readonly limit?: number;
                readonly lon?: number;
                readonly number?: string;
                readonly postcode?: string;
                readonly query?: string;
                readonly street?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        /** @enum {string} */
                        readonly groupName: "OwnPlaces" | "Addresses" | "Streets" | "Places" | "Objects" | "Vehicles" | "Tasks";
                        readonly items: readonly {
                            readonly address?: {
                                readonly city?: string;
                                readonly country?: string;
                                readonly number?: string;
                                readonly postcode?: string;
                                readonly region?: string;
                                readonly street?: string;
                                readonly suburb?: string;
                                readonly unit?: string;
                            };
                            readonly formattedLabel: string;
                            readonly kind?: string;
                            readonly label: string;
                            /** @enum {string} */
                            readonly match?: "exact" | "estimated" | "other";
                            readonly pkid: number;
                            readonly point: {
                                readonly lat: number;
                                readonly lon: number;
                            };
                            readonly score?: number;
                            readonly zoom: number;
                        }[];
                    }[];
                };
            };
        };
    };
    readonly postGeocodingBatch: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly lang?: string;
                    readonly lat?: number;
                    readonly limit?: number;
                    readonly lon?: number;
                    readonly queries: readonly {
                        readonly city?: string;
                        readonly number?: string;
                        readonly postcode?: string;
                        readonly query?: string;
                        readonly street?: string;
                    }[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly answers: readonly (readonly {
                            readonly address?: {
                                readonly city?: string;
                                readonly country?: string;
                                readonly number?: string;
                                readonly postcode?: string;
                                readonly region?: string;
                                readonly street?: string;
                                readonly suburb?: string;
                                readonly unit?: string;
                            };
                            readonly formattedLabel: string;
                            readonly kind?: string;
                            readonly label: string;
                            /** @enum {string} */
                            readonly match?: "exact" | "estimated" | "other";
                            readonly pkid: number;
                            readonly point: {
                                readonly lat: number;
                                readonly lon: number;
                            };
                            readonly score?: number;
                            readonly zoom: number;
                        }[])[];
                    };
                };
            };
        };
    };
    readonly getGeocodingReverse: {
        readonly parameters: {
            readonly query: {
                readonly details?: true | false;
                readonly lang?: string;
                readonly lat: number;
                readonly lon: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly address?: {
                            readonly city?: string;
                            readonly country?: string;
                            readonly number?: string;
                            readonly postcode?: string;
                            readonly region?: string;
                            readonly street?: string;
                            readonly suburb?: string;
                            readonly unit?: string;
                        };
                        readonly formattedLabel: string;
                        readonly kind?: string;
                        readonly label: string;
                        /** @enum {string} */
                        readonly match?: "exact" | "estimated" | "other";
                        readonly pkid: number;
                        readonly point: {
                            readonly lat: number;
                            readonly lon: number;
                        };
                        readonly score?: number;
                        readonly zoom: number;
                    };
                };
            };
        };
    };
    readonly getGeozones: {
        readonly parameters: {
            readonly query?: {
                readonly name?: string;
                readonly organizations?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Geozone"][];
                };
            };
        };
    };
    readonly postGeozones: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly color?: string;
                    readonly district?: boolean;
                    readonly geometry: {
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "Polygon" | "Point" | "LineString";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                    readonly notes?: string;
                    readonly organizationId?: number;
                    readonly radius?: number | null;
                    readonly speedLimit?: number | null;
                    readonly validFrom?: number;
                    readonly view?: boolean;
                    readonly width?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Geozone"];
                };
            };
        };
    };
    readonly getGeozonesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Geozone"];
                };
            };
        };
    };
    readonly putGeozonesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly color?: string;
                    readonly district?: boolean;
                    readonly geometry?: {
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "Polygon" | "Point" | "LineString";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly notes?: string;
                    readonly organizationId?: number;
                    readonly radius?: number | null;
                    readonly speedLimit?: number | null;
                    readonly validFrom?: number;
                    readonly view?: boolean;
                    readonly width?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Geozone"];
                };
            };
        };
    };
    readonly deleteGeozonesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getGeozonesByIdVersions: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["GeozoneVersion"][];
                };
            };
        };
    };
    readonly getHealth: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly fingerprint: string | null;
                        readonly newerVersion: string | null;
                        readonly problems?: readonly {
                            readonly code: string;
                            readonly text: string;
                        }[];
                        readonly standby: {
                            readonly behind: number | null;
                            readonly filled: number;
                            readonly of: string;
                        } | null;
                        readonly station: {
                            readonly id: string;
                            readonly name: string;
                        };
                        /** @enum {string} */
                        readonly status: "ok" | "degraded";
                        readonly territory: {
                            readonly bounds: readonly number[];
                            readonly importedAt: number;
                            readonly name: string;
                        } | null;
                        readonly version: string;
                        /** @example Europe/Berlin */
                        readonly zone: string;
                    };
                };
            };
        };
    };
    readonly getImports: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Import"][];
                };
            };
        };
    };
    readonly getImportsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    readonly postImportsByIdUndo: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    readonly postImportsPreviews: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly kind: "vehicles" | "drivers" | "tasks" | "geozones" | "routes" | "closures" | "organizations" | "users";
                    readonly tz?: string;
                    readonly uuid: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportPreview"];
                };
            };
        };
    };
    readonly getImportsPreviewsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportPreview"];
                };
            };
        };
    };
    readonly putImportsPreviewsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly columns: readonly (string | null)[];
                    readonly values?: {
                        readonly [key: string]: string;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportPreview"];
                };
            };
        };
    };
    readonly deleteImportsPreviewsById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postImportsPreviewsByIdConfirm: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    readonly getImportsPreviewsByIdRows: {
        readonly parameters: {
            readonly query?: {
                readonly fate?: "new" | "changed" | "same" | "refused";
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly path: {
                readonly id: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ImportRow"][];
                };
            };
        };
    };
    readonly getIsochrone: {
        readonly parameters: {
            readonly query?: {
                readonly b?: unknown;
                readonly checksum?: unknown;
                readonly hint?: unknown;
                readonly jsonp?: unknown;
                readonly loc?: unknown;
                readonly locs?: unknown;
                readonly minutes?: unknown;
                readonly profile?: unknown;
                readonly z?: unknown;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly features: readonly components["schemas"]["Isochrone"][];
                        readonly mapped_coordinate: readonly number[];
                        readonly near?: number;
                        readonly status: number;
                        readonly status_message?: string;
                        /** @constant */
                        readonly type: "FeatureCollection";
                    };
                };
            };
        };
    };
    readonly getIssuesAccesses: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["IssueAccess"][];
                };
            };
        };
    };
    readonly getIssuesCapabilities: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["IssueCapability"][];
                };
            };
        };
    };
    readonly getIssuesStates: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["IssueState"][];
                };
            };
        };
    };
    readonly getLinks: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Link"][];
                };
            };
        };
    };
    readonly postLinks: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @example https://192.168.1.20:8443 */
                    readonly address: string;
                    readonly code: string;
                    readonly organizations?: readonly number[] | null;
                    readonly ownAddress?: string | null;
                    readonly paused?: boolean;
                    readonly readOnly?: boolean;
                    readonly standby?: boolean;
                    readonly tracks?: ("none" | "last" | "all") | {
                        readonly days: number;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    readonly putLinksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly address?: string | null;
                    readonly organizations?: readonly number[] | null;
                    readonly paused?: boolean;
                    readonly readOnly?: boolean;
                    readonly standby?: boolean;
                    readonly tracks?: ("none" | "last" | "all") | {
                        readonly days: number;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    readonly deleteLinksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly postLinksChallenges: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly challenge: string;
                    };
                };
            };
        };
    };
    readonly postLinksCodes: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly organizations?: readonly number[] | null;
                    readonly paused?: boolean;
                    readonly readOnly?: boolean;
                    readonly tracks?: ("none" | "last" | "all") | {
                        readonly days: number;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @example K7QM-4TRP */
                        readonly code: string;
                        readonly expiresAt: number;
                    };
                };
            };
        };
    };
    readonly getLinksNearby: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly address: string;
                        readonly fingerprint: string;
                        readonly station: {
                            readonly id: string;
                            readonly name: string;
                            readonly number: number;
                        };
                    }[];
                };
            };
        };
    };
    readonly postLinksPairings: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly id: string;
                    readonly nonce: string;
                    readonly number: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly free?: number | null;
                        readonly nonce: string;
                        readonly pairing: string;
                        readonly station: {
                            readonly fingerprint: string;
                            readonly id: string;
                            readonly name: string;
                            readonly number: number;
                            readonly publicKey: string;
                        };
                    };
                };
            };
        };
    };
    readonly postLinksPairingsProof: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly address: string | null;
                    readonly pairing: string;
                    readonly proof: string;
                    readonly seen: string;
                    readonly settings: {
                        readonly organizations: readonly number[] | null;
                        readonly paused: boolean;
                        readonly readOnly: boolean;
                        /** @default false */
                        readonly standby?: boolean;
                        readonly tracks: ("none" | "last" | "all") | {
                            readonly days: number;
                        };
                    };
                    readonly station: {
                        readonly fingerprint: string;
                        readonly id: string;
                        readonly name: string;
                        readonly number: number;
                        readonly publicKey: string;
                    };
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly proof: string;
                        readonly settings: {
                            readonly organizations: readonly number[] | null;
                            readonly paused: boolean;
                            readonly readOnly: boolean;
                            /** @default false */
                            readonly standby: boolean;
                            readonly tracks: ("none" | "last" | "all") | {
                                readonly days: number;
                            };
                        };
                    };
                };
            };
        };
    };
    readonly getLocate: {
        readonly parameters: {
            readonly query?: {
                readonly jsonp?: unknown;
                readonly loc?: unknown;
                readonly locs?: unknown;
                readonly profile?: unknown;
                readonly z?: unknown;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly mapped_coordinate: readonly number[];
                        readonly status: number;
                        readonly status_message?: string;
                    };
                };
            };
        };
    };
    readonly getLogBook: {
        readonly parameters: {
            readonly query: {
                readonly car?: number;
                readonly from: number;
                readonly limit?: number;
                readonly news?: number;
                readonly text?: string;
                readonly till: number;
                readonly written?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["LogBookLine"][];
                };
            };
        };
    };
    readonly postLogBook: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly carId?: number | null;
                    readonly corrects?: number | null;
                    readonly newsId?: number | null;
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LogBookLine"];
                };
            };
        };
    };
    readonly getLogBookCsv: {
        readonly parameters: {
            readonly query: {
                readonly car?: number;
                readonly from: number;
                readonly lang?: "en" | "ru";
                readonly news?: number;
                readonly text?: string;
                readonly till: number;
                readonly written?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getLogBookPdf: {
        readonly parameters: {
            readonly query: {
                readonly car?: number;
                readonly from: number;
                readonly lang?: "en" | "ru";
                readonly news?: number;
                readonly text?: string;
                readonly till: number;
                readonly written?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getLogApp: {
        readonly parameters: {
            readonly query?: {
                readonly before?: string;
                readonly level?: number;
                readonly limit?: number;
                readonly logger?: string;
                readonly message?: string;
                readonly minLevel?: number;
                readonly thread?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly caller: null;
                        readonly id: string;
                        /** @enum {string} */
                        readonly level: "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR";
                        readonly logger: string;
                        readonly mdc: null;
                        readonly message: string;
                        readonly thread: string;
                        readonly time: number;
                    }[];
                };
            };
        };
    };
    readonly getLogAppCount: {
        readonly parameters: {
            readonly query?: {
                readonly before?: string;
                readonly level?: number;
                readonly logger?: string;
                readonly message?: string;
                readonly minLevel?: number;
                readonly thread?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": number;
                };
            };
        };
    };
    readonly getLogAppLevels: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly id: number;
                        /** @enum {string} */
                        readonly type: "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR";
                    }[];
                };
            };
        };
    };
    readonly getLogAppLevelsCount: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": number;
                };
            };
        };
    };
    readonly getLogAppLoggers: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly value: string;
                    }[];
                };
            };
        };
    };
    readonly getLogAppLoggersCount: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": number;
                };
            };
        };
    };
    readonly getLogAppThreads: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly value: string;
                    }[];
                };
            };
        };
    };
    readonly getLogAppThreadsCount: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": number;
                };
            };
        };
    };
    readonly getMailboxMails: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ReceivedMail"][];
                };
            };
        };
    };
    readonly postMailboxPreview: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly mail?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["MailPreview"][];
                };
            };
        };
    };
    readonly getMailboxSettings: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MailboxSettings"];
                };
            };
        };
    };
    readonly putMailboxSettings: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean;
                    readonly folder?: string;
                    readonly host?: string;
                    readonly login?: string;
                    readonly perHour?: number;
                    readonly port?: number;
                    readonly receiver?: {
                        readonly enabled?: boolean;
                        readonly host?: string;
                        readonly networks?: readonly string[];
                        readonly port?: number;
                        readonly recipients?: readonly string[];
                    };
                    readonly rules?: readonly {
                        readonly categoryId?: number;
                        /** @default  */
                        readonly from?: string;
                        readonly name: string;
                        readonly newsTypeId: number;
                        readonly orgId?: number;
                        readonly priority?: number;
                        /** @default  */
                        readonly subject?: string;
                        readonly takesAutomatic?: boolean;
                        /** @default  */
                        readonly to?: string;
                    }[];
                    readonly secret?: string | null;
                    /** @enum {string} */
                    readonly security?: "tls" | "starttls" | "none";
                    readonly senderPerHour?: number;
                    readonly userId?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MailboxSettings"];
                };
            };
        };
    };
    readonly getMatchV1ByProfileByCoordinates: {
        readonly parameters: {
            readonly query?: {
                readonly annotations?: unknown;
                readonly bearings?: unknown;
                readonly gaps?: unknown;
                readonly generate_hints?: unknown;
                readonly geometries?: unknown;
                readonly hints?: unknown;
                readonly overview?: unknown;
                readonly radiuses?: unknown;
                readonly skip_waypoints?: unknown;
                readonly steps?: unknown;
                readonly tidy?: unknown;
                readonly timestamps?: unknown;
                readonly waypoints?: unknown;
            };
            readonly path: {
                readonly coordinates: string;
                readonly profile: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly code: "Ok";
                        readonly matchings: readonly ({
                            readonly confidence: number;
                            readonly distance: number;
                            readonly duration: number;
                            readonly legs: readonly ({
                                readonly distance: number;
                                readonly duration: number;
                                readonly steps: readonly {
                                    readonly [key: string]: unknown;
                                }[];
                            } & {
                                readonly [key: string]: unknown;
                            })[];
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                        readonly tracepoints?: readonly (({
                            readonly distance: number;
                            readonly hint?: string;
                            readonly location: readonly number[];
                            readonly name: string;
                        } & {
                            readonly [key: string]: unknown;
                        }) | null)[];
                    };
                };
            };
        };
    };
    readonly getMerges: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly limit?: number;
                readonly open?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Merge"][];
                };
            };
        };
    };
    readonly postMergesById: {
        readonly parameters: {
            readonly path: {
                readonly id: string;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly take: "kept" | "lost";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Merge"];
                };
            };
        };
    };
    readonly getMetrics: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
        };
    };
    readonly getNearest: {
        readonly parameters: {
            readonly query?: {
                readonly b?: unknown;
                readonly jsonp?: unknown;
                readonly loc?: unknown;
                readonly locs?: unknown;
                readonly num_results?: unknown;
                readonly profile?: unknown;
                readonly z?: unknown;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly distance?: number;
                        readonly mapped_coordinate: readonly number[];
                        readonly name: string;
                        readonly results?: readonly {
                            readonly distance: number;
                            readonly "mapped coordinate": readonly number[];
                            readonly name: string;
                        }[];
                        readonly status: number;
                        readonly status_message?: string;
                    };
                };
            };
        };
    };
    readonly getNearestV1ByProfileByCoordinates: {
        readonly parameters: {
            readonly query?: {
                readonly bearings?: unknown;
                readonly generate_hints?: unknown;
                readonly hints?: unknown;
                readonly number?: unknown;
                readonly radiuses?: unknown;
                readonly skip_waypoints?: unknown;
            };
            readonly path: {
                readonly coordinates: string;
                readonly profile: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly code: "Ok";
                        readonly waypoints: readonly ({
                            readonly distance: number;
                            readonly hint?: string;
                            readonly location: readonly number[];
                            readonly name: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                    };
                };
            };
        };
    };
    readonly getNewsIcs: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/calendar; charset=utf-8": string;
                };
            };
        };
    };
    readonly postNews: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @constant */
                    readonly action?: "put";
                    readonly files?: readonly string[];
                    readonly files_desc?: readonly string[];
                    readonly files_name?: readonly string[];
                    readonly photos?: readonly string[];
                    readonly photos_desc?: readonly string[];
                    readonly photos_name?: readonly string[];
                    readonly point?: readonly number[];
                    readonly pointZoom?: null | "" | number;
                    readonly sounds?: readonly string[];
                    readonly sounds_desc?: readonly string[];
                    readonly sounds_name?: readonly string[];
                    readonly values: {
                        readonly address?: string;
                        readonly answers?: readonly {
                            readonly answer: string;
                            readonly priority?: number;
                            readonly question: string;
                        }[];
                        readonly category?: null | "" | number;
                        readonly custom_fields?: string;
                        readonly department_id?: null | "" | number;
                        readonly news_date?: string;
                        readonly news_hour?: "" | number;
                        readonly news_minute?: "" | number;
                        readonly news_type_id: number;
                        readonly notice?: number;
                        readonly photo_main?: "" | null | number;
                        readonly priority?: number;
                        readonly restricted?: boolean;
                        readonly system_data?: string;
                        readonly text?: string;
                        readonly title: string;
                    };
                    readonly video?: readonly string[];
                    readonly video_desc?: readonly string[];
                    readonly video_name?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly newsId: number;
                    };
                };
            };
        };
    };
    readonly getNewsByIdEido: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Eido"];
                };
            };
        };
    };
    readonly getNewsByIdOwnPlaces: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["OwnPlace"][];
                };
            };
        };
    };
    readonly getNewsByIdPremiseNotes: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["PremiseNote"][];
                };
            };
        };
    };
    readonly getNewsByNewsId: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly news_data: components["schemas"]["NewsDetail"];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsId: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly action: "delete" | "restore";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdAcknowledge: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdComments: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly comments: readonly components["schemas"]["CommentItem"][];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdComments: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @constant */
                    readonly action?: "post";
                    readonly comment: string;
                    readonly reference_id?: null | "" | number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdFiles: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly files: readonly components["schemas"]["Attachment"][];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdFilesByFileId: {
        readonly parameters: {
            readonly path: {
                readonly fileId: number;
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly action: "delete" | "restore";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdHistory: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly history: readonly components["schemas"]["HistoryItem"][];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdLinks: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly newsId: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly deleteNewsByNewsIdLinksByOtherId: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
                readonly otherId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdMerge: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly into: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly deleteNewsByNewsIdMerge: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdPdf: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getNewsByNewsIdPhotos: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly photos: readonly components["schemas"]["Attachment"][];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdPhotosByFileId: {
        readonly parameters: {
            readonly path: {
                readonly fileId: number;
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly action: "delete" | "restore";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdPhotosByFileIdByWidthByHeight: {
        readonly parameters: {
            readonly query?: {
                readonly fit?: "fill" | "inside";
            };
            readonly path: {
                readonly fileId: number;
                readonly height: number;
                readonly newsId: number;
                readonly width: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/*": string;
                };
            };
        };
    };
    readonly getNewsByNewsIdPoint: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly point: readonly string[] | null;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdProposal: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    readonly getNewsByNewsIdRecommendations: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Recommendation"][];
                };
            };
        };
    };
    readonly getNewsByNewsIdRelated: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & components["schemas"]["RelatedMessages"];
                };
            };
        };
    };
    readonly getNewsByNewsIdShortdata: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly news: components["schemas"]["ShortNews"];
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdSounds: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly sounds: readonly components["schemas"]["Attachment"][];
                        readonly sounds_converted: readonly string[];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdSoundsByFileId: {
        readonly parameters: {
            readonly path: {
                readonly fileId: number;
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly action: "delete" | "restore";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdText: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly text: string;
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdUnits: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly anyway?: boolean;
                    readonly carIds: readonly number[];
                    readonly from?: readonly number[];
                    readonly move?: boolean;
                    readonly role?: string;
                    readonly roles?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly left: readonly {
                            readonly carId: number;
                            readonly newsId: number;
                        }[];
                        readonly units: readonly components["schemas"]["NewsUnit"][];
                    };
                };
            };
        };
    };
    readonly putNewsByNewsIdUnitsByCarId: {
        readonly parameters: {
            readonly path: {
                readonly carId: number;
                readonly newsId: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @constant */
                    readonly lead?: true;
                    readonly role?: string;
                    readonly status?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly units: readonly components["schemas"]["NewsUnit"][];
                    };
                };
            };
        };
    };
    readonly deleteNewsByNewsIdUnitsByCarId: {
        readonly parameters: {
            readonly path: {
                readonly carId: number;
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly units: readonly components["schemas"]["NewsUnit"][];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdUnitsRelease: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly carIds: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly units: readonly components["schemas"]["NewsUnit"][];
                    };
                };
            };
        };
    };
    readonly putNewsByNewsIdUpdate: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly address?: string;
                    readonly answers?: readonly {
                        readonly answer: string;
                        readonly priority?: number;
                        readonly question: string;
                    }[];
                    readonly archive?: boolean;
                    readonly assigned_car_id?: null | "" | number;
                    readonly assigned_organization_id?: null | "" | number;
                    readonly assigned_status?: number;
                    readonly assigned_user_id?: null | "" | number;
                    readonly category_id?: null | "" | number;
                    readonly confirmed?: number;
                    readonly confirmed_comment?: string;
                    readonly custom_fields?: string;
                    readonly files?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly news_date?: string;
                    readonly news_hour?: "" | number;
                    readonly news_minute?: "" | number;
                    readonly news_type_id?: number;
                    readonly notice?: number;
                    readonly photo_main?: number;
                    readonly photos?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly point?: readonly number[];
                    readonly pointZoom?: null | "" | number;
                    readonly priority?: number;
                    readonly restricted?: boolean;
                    readonly sounds?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly system_data?: string;
                    readonly text?: string;
                    readonly title?: string;
                    readonly update_comments?: string;
                    readonly updatecomment_visible_all?: boolean;
                    readonly updatecomment_visible_assigned_to?: boolean;
                    readonly updatecomment_visible_assigned_to_user?: boolean;
                    readonly updatecomment_visible_user?: boolean;
                    readonly video?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly videos?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdUpdate: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly address?: string;
                    readonly answers?: readonly {
                        readonly answer: string;
                        readonly priority?: number;
                        readonly question: string;
                    }[];
                    readonly archive?: boolean;
                    readonly assigned_car_id?: null | "" | number;
                    readonly assigned_organization_id?: null | "" | number;
                    readonly assigned_status?: number;
                    readonly assigned_user_id?: null | "" | number;
                    readonly category_id?: null | "" | number;
                    readonly confirmed?: number;
                    readonly confirmed_comment?: string;
                    readonly custom_fields?: string;
                    readonly files?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly news_date?: string;
                    readonly news_hour?: "" | number;
                    readonly news_minute?: "" | number;
                    readonly news_type_id?: number;
                    readonly notice?: number;
                    readonly photo_main?: number;
                    readonly photos?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly point?: readonly number[];
                    readonly pointZoom?: null | "" | number;
                    readonly priority?: number;
                    readonly restricted?: boolean;
                    readonly sounds?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly system_data?: string;
                    readonly text?: string;
                    readonly title?: string;
                    readonly update_comments?: string;
                    readonly updatecomment_visible_all?: boolean;
                    readonly updatecomment_visible_assigned_to?: boolean;
                    readonly updatecomment_visible_assigned_to_user?: boolean;
                    readonly updatecomment_visible_user?: boolean;
                    readonly video?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                    readonly videos?: readonly {
                        readonly description?: string;
                        readonly file: string;
                        readonly fileName?: string;
                    }[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdVideo: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly video: readonly components["schemas"]["Attachment"][];
                    };
                };
            };
        };
    };
    readonly postNewsByNewsIdVideoByFileId: {
        readonly parameters: {
            readonly path: {
                readonly fileId: number;
                readonly newsId: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly action: "delete" | "restore";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly putNewsByNewsIdWatch: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly deleteNewsByNewsIdWatch: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsByNewsIdWatchers: {
        readonly parameters: {
            readonly path: {
                readonly newsId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & components["schemas"]["MessageWatchers"];
                };
            };
        };
    };
    readonly getNewsAllowed: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly allowed: readonly components["schemas"]["NewsAccess"][];
                    };
                };
            };
        };
    };
    readonly postNewsAllowedTry: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly news_id: number;
                    readonly right_id: number;
                    readonly user_id?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly capabilities: readonly components["schemas"]["NewsVerdict"][];
                    };
                };
            };
        };
    };
    readonly getNewsCapabilities: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly capabilities: readonly components["schemas"]["NewsCapability"][];
                    };
                };
            };
        };
    };
    readonly getNewsCount: {
        readonly parameters: {
            readonly query?: {
                readonly assigned_department_id?: string;
                readonly category_id?: string;
                readonly date_from?: number;
                readonly date_till?: number;
                readonly department_id?: string;
                readonly status_id?: string;
                readonly type_id?: string;
                readonly withArchive?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly countNews: number;
                        readonly statuses: readonly components["schemas"]["StatusCount"][];
                    };
                };
            };
        };
    };
    readonly getNewsCustomFields: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly custom_fields: readonly components["schemas"]["CustomField"][];
                        readonly fields_types: readonly {
                            readonly name: string;
                            readonly rusname: string;
                        }[];
                    };
                };
            };
        };
    };
    readonly getNewsListAfterIdByNewsAfterIdByLimit: {
        readonly parameters: {
            readonly query?: {
                readonly assigned_department_id?: string;
                readonly category_id?: string;
                readonly date_from?: number;
                readonly date_till?: number;
                readonly department_id?: string;
                readonly forMe?: true | false;
                readonly gtUpdateDate?: string;
                readonly hasAudio?: true | false;
                readonly hasFile?: true | false;
                readonly hasPhoto?: true | false;
                readonly hasPoint?: true | false;
                readonly hasVideo?: true | false;
                readonly ltUpdateDate?: string;
                readonly onlyAssigned?: true | false;
                readonly onlyMy?: true | false;
                readonly onlyStates?: string;
                readonly onlyStatus?: string;
                readonly sortBy?: "news_date" | "update_date" | "id" | "user_id" | "news_type_id" | "category_id";
                readonly sortDirection?: "desc" | "asc";
                readonly type_id?: string;
                readonly withArchive?: true | false;
                readonly withAssigned?: true | false;
                readonly withClosed?: true | false;
                readonly withUnits?: true | false;
            };
            readonly path: {
                readonly limit: number;
                readonly newsAfterId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly count_news: number;
                        readonly news_list: readonly components["schemas"]["NewsItem"][];
                    };
                };
            };
        };
    };
    readonly getNewsListAfterIdByNewsAfterIdByLimitByConfirmedType: {
        readonly parameters: {
            readonly query?: {
                readonly assigned_department_id?: string;
                readonly category_id?: string;
                readonly date_from?: number;
                readonly date_till?: number;
                readonly department_id?: string;
                readonly forMe?: true | false;
                readonly gtUpdateDate?: string;
                readonly hasAudio?: true | false;
                readonly hasFile?: true | false;
                readonly hasPhoto?: true | false;
                readonly hasPoint?: true | false;
                readonly hasVideo?: true | false;
                readonly ltUpdateDate?: string;
                readonly onlyAssigned?: true | false;
                readonly onlyMy?: true | false;
                readonly onlyStates?: string;
                readonly onlyStatus?: string;
                readonly sortBy?: "news_date" | "update_date" | "id" | "user_id" | "news_type_id" | "category_id";
                readonly sortDirection?: "desc" | "asc";
                readonly type_id?: string;
                readonly withArchive?: true | false;
                readonly withAssigned?: true | false;
                readonly withClosed?: true | false;
                readonly withUnits?: true | false;
            };
            readonly path: {
                readonly confirmedType: number;
                readonly limit: number;
                readonly newsAfterId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly count_news: number;
                        readonly news_list: readonly components["schemas"]["NewsItem"][];
                    };
                };
            };
        };
    };
    readonly getNewsStates: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly states: readonly components["schemas"]["NewsState"][];
                    };
                };
            };
        };
    };
    readonly postNewsStates: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly field: string;
                    readonly field_from_session?: string;
                    readonly name: string;
                    /** @enum {string} */
                    readonly sign?: "=" | "!=" | "<" | ">" | "<=" | ">=" | "in";
                    readonly value?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly state: components["schemas"]["NewsState"];
                    };
                };
            };
        };
    };
    readonly putNewsStatesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly field?: string;
                    readonly field_from_session?: string;
                    readonly name?: string;
                    /** @enum {string} */
                    readonly sign?: "=" | "!=" | "<" | ">" | "<=" | ">=" | "in";
                    readonly value?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly state: components["schemas"]["NewsState"];
                    };
                };
            };
        };
    };
    readonly deleteNewsStatesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewsStats: {
        readonly parameters: {
            readonly query?: {
                readonly date_from?: number;
                readonly date_till?: number;
                readonly withArchive?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly assignedDepartments: readonly {
                            readonly assigned_department_id: number;
                            readonly statuses: readonly components["schemas"]["StatusCount"][];
                        }[];
                        readonly categories: readonly {
                            readonly category_id: number;
                            readonly statuses: readonly components["schemas"]["StatusCount"][];
                        }[];
                        readonly departments: readonly {
                            readonly department_id: number;
                            readonly statuses: readonly components["schemas"]["StatusCount"][];
                        }[];
                        readonly statuses: readonly components["schemas"]["StatusCount"][];
                        readonly types: readonly {
                            readonly statuses: readonly components["schemas"]["StatusCount"][];
                            readonly type_id: number;
                        }[];
                    };
                };
            };
        };
    };
    readonly getNewstype: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly newstype: readonly components["schemas"]["NewsType"][];
                    };
                };
            };
        };
    };
    readonly postNewstype: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly deadline_type?: number | "AT_UPDATE";
                    readonly default_type?: boolean;
                    readonly departments?: readonly number[];
                    readonly group_id?: number;
                    readonly icon?: string;
                    readonly icon_done?: string;
                    readonly icon3d?: string;
                    readonly icon3d_done?: string;
                    readonly iconmap?: string;
                    readonly iconmap_done?: string;
                    readonly iconmap_highlight?: string;
                    readonly iconmap_highlight_done?: string;
                    readonly logo?: string;
                    readonly map_icon?: string;
                    readonly map_icon_done?: string;
                    readonly map_icon_highlight?: string;
                    readonly map_icon_highlight_done?: string;
                    readonly name: string;
                    readonly period_of_review?: string;
                    readonly period_of_review_in_sec?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly newstype: components["schemas"]["WholeNewsType"];
                    };
                };
            };
        };
    };
    readonly putNewstypeById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly deadline_type?: number | "AT_UPDATE";
                    readonly default_type?: boolean;
                    readonly departments?: readonly number[];
                    readonly group_id?: number;
                    readonly icon?: string;
                    readonly icon_done?: string;
                    readonly icon3d?: string;
                    readonly icon3d_done?: string;
                    readonly iconmap?: string;
                    readonly iconmap_done?: string;
                    readonly iconmap_highlight?: string;
                    readonly iconmap_highlight_done?: string;
                    readonly logo?: string;
                    readonly map_icon?: string;
                    readonly map_icon_done?: string;
                    readonly map_icon_highlight?: string;
                    readonly map_icon_highlight_done?: string;
                    readonly name?: string;
                    readonly period_of_review?: string;
                    readonly period_of_review_in_sec?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly newstype: components["schemas"]["WholeNewsType"];
                    };
                };
            };
        };
    };
    readonly deleteNewstypeById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly postNewstypeGroup: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly group: components["schemas"]["TypeGroup"];
                    };
                };
            };
        };
    };
    readonly getNewstypeGroupById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly group: components["schemas"]["TypeGroup"];
                    };
                };
            };
        };
    };
    readonly putNewstypeGroupById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly group: components["schemas"]["TypeGroup"];
                    };
                };
            };
        };
    };
    readonly deleteNewstypeGroupById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    };
                };
            };
        };
    };
    readonly getNewstypeGroupList: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly groups: readonly components["schemas"]["TypeGroup"][];
                    };
                };
            };
        };
    };
    readonly getNotifyMail: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly limit?: number;
                readonly state?: "waiting" | "sent" | "failed";
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Mail"][];
                };
            };
        };
    };
    readonly postNotifyMailByIdRetry: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Mail"];
                };
            };
        };
    };
    readonly getNotifyPost: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Letter"][];
                };
            };
        };
    };
    readonly getNotifyPostByIdPdf: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly postNotifyPostByIdPrinted: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Letter"];
                };
            };
        };
    };
    readonly getOdata: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly value: readonly {
                            /** @constant */
                            readonly kind: "EntitySet";
                            readonly name: string;
                            readonly url: string;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getOdataMetadata: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": string;
                };
            };
        };
    };
    readonly getOdataDrivers: {
        readonly parameters: {
            readonly query?: {
                readonly $count?: "true" | "false";
                readonly $filter?: string;
                readonly $format?: string;
                readonly $orderby?: string;
                readonly $select?: string;
                readonly $skip?: number;
                readonly $skiptoken?: string;
                readonly $top?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly value: readonly {
                            readonly id?: number;
                            readonly name?: string;
                            readonly notes?: string;
                            readonly organization?: string | null;
                            readonly organizationId?: number;
                            readonly phone?: string;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getOdataDriversCount: {
        readonly parameters: {
            readonly query?: {
                readonly $filter?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getOdataEvents: {
        readonly parameters: {
            readonly query?: {
                readonly $count?: "true" | "false";
                readonly $filter?: string;
                readonly $format?: string;
                readonly $orderby?: string;
                readonly $select?: string;
                readonly $skip?: number;
                readonly $skiptoken?: string;
                readonly $top?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly value: readonly {
                            readonly begin?: string;
                            readonly end?: string | null;
                            readonly id?: number;
                            readonly info?: string;
                            readonly latitude?: number;
                            readonly longitude?: number;
                            readonly seconds?: number | null;
                            readonly type?: string;
                            readonly typeId?: number;
                            readonly vehicle?: string | null;
                            readonly vehicleId?: number;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getOdataEventsCount: {
        readonly parameters: {
            readonly query?: {
                readonly $filter?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getOdataTasks: {
        readonly parameters: {
            readonly query?: {
                readonly $count?: "true" | "false";
                readonly $filter?: string;
                readonly $format?: string;
                readonly $orderby?: string;
                readonly $select?: string;
                readonly $skip?: number;
                readonly $skiptoken?: string;
                readonly $top?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly value: readonly {
                            readonly address?: string;
                            readonly archived?: boolean;
                            readonly assignedOrganization?: string | null;
                            readonly assignedOrganizationId?: number | null;
                            readonly assignedUser?: string | null;
                            readonly assignedUserId?: number | null;
                            readonly author?: string | null;
                            readonly category?: string | null;
                            readonly categoryId?: number | null;
                            readonly date?: string;
                            readonly id?: number;
                            readonly latitude?: number | null;
                            readonly longitude?: number | null;
                            readonly organization?: string | null;
                            readonly organizationId?: number;
                            readonly priority?: number;
                            readonly status?: string | null;
                            readonly statusId?: number;
                            readonly statusSince?: string;
                            readonly text?: string;
                            readonly title?: string;
                            readonly type?: string | null;
                            readonly typeId?: number;
                            readonly updated?: string;
                            readonly vehicleId?: number | null;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getOdataTasksCount: {
        readonly parameters: {
            readonly query?: {
                readonly $filter?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getOdataTaskUnits: {
        readonly parameters: {
            readonly query?: {
                readonly $count?: "true" | "false";
                readonly $filter?: string;
                readonly $format?: string;
                readonly $orderby?: string;
                readonly $select?: string;
                readonly $skip?: number;
                readonly $skiptoken?: string;
                readonly $top?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly value: readonly {
                            readonly acknowledged?: string | null;
                            readonly clear?: string | null;
                            readonly enRoute?: string | null;
                            readonly index?: number;
                            readonly lead?: boolean;
                            readonly onScene?: string | null;
                            readonly role?: string;
                            readonly sent?: string | null;
                            readonly status?: string;
                            readonly taskDate?: string;
                            readonly taskId?: number;
                            readonly vehicle?: string | null;
                            readonly vehicleId?: number;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getOdataTaskUnitsCount: {
        readonly parameters: {
            readonly query?: {
                readonly $filter?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getOdataVehicles: {
        readonly parameters: {
            readonly query?: {
                readonly $count?: "true" | "false";
                readonly $filter?: string;
                readonly $format?: string;
                readonly $orderby?: string;
                readonly $select?: string;
                readonly $skip?: number;
                readonly $skiptoken?: string;
                readonly $top?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly value: readonly {
                            readonly device?: number;
                            readonly group?: string | null;
                            readonly id?: number;
                            readonly kind?: string | null;
                            readonly latitude?: number | null;
                            readonly longitude?: number | null;
                            readonly make?: string | null;
                            readonly model?: string | null;
                            readonly name?: string;
                            readonly odometer?: number | null;
                            readonly onService?: boolean;
                            readonly organization?: string | null;
                            readonly organizationId?: number;
                            readonly plate?: string;
                            readonly positionTime?: string | null;
                            readonly speed?: number | null;
                            readonly status?: string | null;
                            readonly statusSince?: string | null;
                            readonly stopped?: boolean | null;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly getOdataVehiclesCount: {
        readonly parameters: {
            readonly query?: {
                readonly $filter?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getOgc: {
        readonly parameters: {
            readonly query?: {
                readonly f?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly description: string;
                        readonly links: readonly {
                            readonly href: string;
                            readonly rel: string;
                            readonly title: string;
                            readonly type: string;
                        }[];
                        readonly title: string;
                    };
                };
            };
        };
    };
    readonly getOgcCollections: {
        readonly parameters: {
            readonly query?: {
                readonly f?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly collections: readonly components["schemas"]["OgcCollection"][];
                        readonly links: readonly {
                            readonly href: string;
                            readonly rel: string;
                            readonly title: string;
                            readonly type: string;
                        }[];
                    };
                };
            };
        };
    };
    readonly getOgcCollectionsByCollectionId: {
        readonly parameters: {
            readonly query?: {
                readonly f?: string;
            };
            readonly path: {
                readonly collectionId: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OgcCollection"];
                };
            };
        };
    };
    readonly getOgcCollectionsByCollectionIdItems: {
        readonly parameters: {
            readonly query?: {
                readonly bbox?: string;
                readonly datetime?: string;
                readonly f?: string;
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly path: {
                readonly collectionId: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/geo+json": string;
                };
            };
        };
    };
    readonly getOgcCollectionsByCollectionIdItemsByFeatureId: {
        readonly parameters: {
            readonly query?: {
                readonly f?: string;
            };
            readonly path: {
                readonly collectionId: string;
                readonly featureId: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/geo+json": string;
                };
            };
        };
    };
    readonly getOgcConformance: {
        readonly parameters: {
            readonly query?: {
                readonly f?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly conformsTo: readonly string[];
                    };
                };
            };
        };
    };
    readonly getOpen311V2DiscoveryJson: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly changeset: string;
                        readonly contact: string;
                        readonly endpoints: readonly {
                            readonly changeset: string;
                            readonly formats: readonly string[];
                            readonly specification: string;
                            readonly type: string;
                            readonly url: string;
                        }[];
                        readonly key_service: string;
                    };
                };
            };
        };
    };
    readonly getOpen311V2DiscoveryXml: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/xml": string;
                };
            };
        };
    };
    readonly getOpen311V2RequestsJson: {
        readonly parameters: {
            readonly query?: {
                readonly end_date?: "" | string;
                readonly jurisdiction_id?: string;
                readonly service_code?: string;
                readonly service_request_id?: string;
                readonly start_date?: "" | string;
                readonly status?: "" | ("open" | "closed" | "open,closed" | "closed,open");
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Open311Request"][];
                };
            };
        };
    };
    readonly postOpen311V2RequestsJson: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly account_id?: string;
                    readonly address_id?: string;
                    readonly address_string?: string;
                    readonly api_key?: string;
                    readonly attribute?: {
                        readonly [key: string]: string | readonly string[];
                    };
                    readonly description?: string;
                    readonly device_id?: string;
                    readonly email?: string;
                    readonly first_name?: string;
                    readonly jurisdiction_id?: string;
                    readonly last_name?: string;
                    readonly lat?: "" | number;
                    readonly long?: "" | number;
                    readonly media_url?: "" | string;
                    readonly phone?: string;
                    readonly service_code: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly account_id: string | null;
                        readonly service_notice: string;
                        readonly service_request_id: string;
                    }[];
                };
            };
        };
    };
    readonly getOpen311V2RequestsXml: {
        readonly parameters: {
            readonly query?: {
                readonly end_date?: "" | string;
                readonly jurisdiction_id?: string;
                readonly service_code?: string;
                readonly service_request_id?: string;
                readonly start_date?: "" | string;
                readonly status?: "" | ("open" | "closed" | "open,closed" | "closed,open");
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/xml": string;
                };
            };
        };
    };
    readonly postOpen311V2RequestsXml: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly account_id?: string;
                    readonly address_id?: string;
                    readonly address_string?: string;
                    readonly api_key?: string;
                    readonly attribute?: {
                        readonly [key: string]: string | readonly string[];
                    };
                    readonly description?: string;
                    readonly device_id?: string;
                    readonly email?: string;
                    readonly first_name?: string;
                    readonly jurisdiction_id?: string;
                    readonly last_name?: string;
                    readonly lat?: "" | number;
                    readonly long?: "" | number;
                    readonly media_url?: "" | string;
                    readonly phone?: string;
                    readonly service_code: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/xml": string;
                };
            };
        };
    };
    readonly getOpen311V2RequestsByIdJson: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Open311Request"][];
                };
            };
        };
    };
    readonly getOpen311V2RequestsByIdXml: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/xml": string;
                };
            };
        };
    };
    readonly getOpen311V2ServicesJson: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Open311Service"][];
                };
            };
        };
    };
    readonly getOpen311V2ServicesXml: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/xml": string;
                };
            };
        };
    };
    readonly getOpen311V2ServicesByCodeJson: {
        readonly parameters: {
            readonly path: {
                readonly code: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Open311Definition"];
                };
            };
        };
    };
    readonly getOpen311V2ServicesByCodeXml: {
        readonly parameters: {
            readonly path: {
                readonly code: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/xml": string;
                };
            };
        };
    };
    readonly getOpenapiJson: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json; charset=utf-8": string;
                };
            };
        };
    };
    readonly getOrganizations: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Organization"][];
                };
            };
        };
    };
    readonly postOrganizations: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly info?: {
                        readonly address?: string;
                        readonly email?: string;
                        readonly homepage?: string;
                        readonly inn?: string;
                        readonly kpp?: string;
                        readonly phone?: string;
                    };
                    readonly logo?: string;
                    readonly mapAerialProvider?: string;
                    readonly mapExtent?: string;
                    readonly mapRoadProvider?: string;
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly getOrganizationsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly putOrganizationsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly info?: {
                        readonly address?: string;
                        readonly email?: string;
                        readonly homepage?: string;
                        readonly inn?: string;
                        readonly kpp?: string;
                        readonly phone?: string;
                    };
                    readonly logo?: string;
                    readonly mapAerialProvider?: string;
                    readonly mapExtent?: string;
                    readonly mapRoadProvider?: string;
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly deleteOrganizationsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly delete: true;
                    };
                };
            };
        };
    };
    readonly getOwnPlaces: {
        readonly parameters: {
            readonly query?: {
                readonly bounds?: string;
                readonly lat?: number;
                readonly layer?: string;
                readonly limit?: number;
                readonly lon?: number;
                readonly name?: string;
                readonly sort?: "hydrant" | "water" | "keyBox" | "defibrillator" | "gate" | "entrance" | "station" | "building" | "house" | "road" | "meetingPoint" | "landing" | "hazard" | "area" | "other";
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["OwnPlace"][];
                };
            };
        };
    };
    readonly postOwnPlaces: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly accessCode?: string;
                    readonly externalId?: string;
                    readonly geometry?: ({
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "LineString" | "Polygon";
                    } & {
                        readonly [key: string]: unknown;
                    }) | null;
                    readonly lat?: number;
                    readonly layer?: string;
                    readonly lon?: number;
                    readonly name: string;
                    readonly notes?: string;
                    readonly organizationId?: number | null;
                    readonly otherNames?: readonly string[];
                    /** @enum {string} */
                    readonly sort?: "hydrant" | "water" | "keyBox" | "defibrillator" | "gate" | "entrance" | "station" | "building" | "house" | "road" | "meetingPoint" | "landing" | "hazard" | "area" | "other";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OwnPlace"];
                };
            };
        };
    };
    readonly getOwnPlacesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OwnPlace"];
                };
            };
        };
    };
    readonly putOwnPlacesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly accessCode?: string;
                    readonly externalId?: string;
                    readonly geometry?: ({
                        readonly coordinates: readonly unknown[];
                        /** @enum {string} */
                        readonly type: "LineString" | "Polygon";
                    } & {
                        readonly [key: string]: unknown;
                    }) | null;
                    readonly lat?: number;
                    readonly layer?: string;
                    readonly lon?: number;
                    readonly name?: string;
                    readonly notes?: string;
                    readonly organizationId?: number | null;
                    readonly otherNames?: readonly string[];
                    /** @enum {string} */
                    readonly sort?: "hydrant" | "water" | "keyBox" | "defibrillator" | "gate" | "entrance" | "station" | "building" | "house" | "road" | "meetingPoint" | "landing" | "hazard" | "area" | "other";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OwnPlace"];
                };
            };
        };
    };
    readonly deleteOwnPlacesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postOwnPlacesBatch: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly places: readonly {
                        readonly accessCode?: string;
                        readonly externalId?: string;
                        readonly geometry?: ({
                            readonly coordinates: readonly unknown[];
                            /** @enum {string} */
                            readonly type: "LineString" | "Polygon";
                        } & {
                            readonly [key: string]: unknown;
                        }) | null;
                        readonly lat?: number;
                        readonly layer?: string;
                        readonly lon?: number;
                        readonly name: string;
                        readonly notes?: string;
                        readonly organizationId?: number | null;
                        readonly otherNames?: readonly string[];
                        /** @enum {string} */
                        readonly sort?: "hydrant" | "water" | "keyBox" | "defibrillator" | "gate" | "entrance" | "station" | "building" | "house" | "road" | "meetingPoint" | "landing" | "hazard" | "area" | "other";
                    }[];
                    readonly remove?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly changed: number;
                        readonly created: number;
                        readonly ids: readonly number[];
                        readonly removed: number;
                    };
                };
            };
        };
    };
    readonly getOwnPlacesLayers: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly {
                        readonly layer: string;
                        readonly places: number;
                    }[];
                };
            };
        };
    };
    readonly postPins: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly forNext?: boolean;
                    readonly text: string;
                    readonly till?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PinnedNote"];
                };
            };
        };
    };
    readonly deletePinsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postPinsByIdDone: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly done: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PinnedNote"];
                };
            };
        };
    };
    readonly getPremiseNotes: {
        readonly parameters: {
            readonly query?: {
                readonly lat?: number;
                readonly lon?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["PremiseNote"][];
                };
            };
        };
    };
    readonly postPremiseNotes: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly geozoneId?: number | null;
                    readonly lat?: number | null;
                    readonly lon?: number | null;
                    readonly name: string;
                    readonly organizationId?: number | null;
                    readonly radius?: number;
                    /** @enum {string} */
                    readonly subject?: "hazard" | "key" | "code" | "other";
                    readonly text?: string;
                    readonly till?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PremiseNote"];
                };
            };
        };
    };
    readonly getPremiseNotesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PremiseNote"];
                };
            };
        };
    };
    readonly putPremiseNotesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly geozoneId?: number | null;
                    readonly lat?: number | null;
                    readonly lon?: number | null;
                    readonly name?: string;
                    readonly organizationId?: number | null;
                    readonly radius?: number;
                    /** @enum {string} */
                    readonly subject?: "hazard" | "key" | "code" | "other";
                    readonly text?: string;
                    readonly till?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PremiseNote"];
                };
            };
        };
    };
    readonly deletePremiseNotesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getPresets: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Preset"][];
                };
            };
        };
    };
    readonly postPresets: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                    readonly organizationId?: number | null;
                    /** @enum {string} */
                    readonly use: "layout" | "view";
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Preset"];
                };
            };
        };
    };
    readonly getPresetsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Preset"];
                };
            };
        };
    };
    readonly putPresetsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly content?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Preset"];
                };
            };
        };
    };
    readonly deletePresetsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postPresetsByIdRestore: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Preset"];
                };
            };
        };
    };
    readonly postProposals: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly category_id?: number | null;
                    readonly lat: number;
                    readonly lon: number;
                    readonly needs?: readonly {
                        readonly capabilityIds?: readonly number[];
                        /** @default 1 */
                        readonly count?: number;
                        readonly kindId?: number | null;
                        /** @default  */
                        readonly role?: string;
                    }[];
                    readonly news_type_id?: number | null;
                    readonly priority?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Proposal"];
                };
            };
        };
    };
    readonly getRasterLayers: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["RasterLayer"][];
                };
            };
        };
    };
    readonly postRasterLayers: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly attribution?: string;
                    readonly name?: string;
                    readonly path?: string;
                    readonly uuid?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RasterLayer"];
                };
            };
        };
    };
    readonly putRasterLayersById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly attribution?: string;
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RasterLayer"];
                };
            };
        };
    };
    readonly deleteRasterLayersById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly delete: true;
                    };
                };
            };
        };
    };
    readonly getRasterLayersByIdByZByXByY: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
                readonly x: number;
                readonly y: number;
                readonly z: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/png": string;
                };
            };
        };
    };
    readonly getReady: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly ready: true;
                    };
                };
            };
        };
    };
    readonly getRecommendations: {
        readonly parameters: {
            readonly query: {
                readonly category_id?: number;
                readonly lat: number;
                readonly lon: number;
                readonly news_type_id?: number;
                readonly priority?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Recommendation"][];
                };
            };
        };
    };
    readonly getReplicaByCollection: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly epoch?: string;
                readonly limit?: number;
            };
            readonly path: {
                readonly collection: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReplicaPage"];
                };
            };
        };
    };
    readonly getReplicaVehiclesFill: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
        };
    };
    readonly getReportsFuel: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsFuelCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsFuelPdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsFuelXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getReportsGeozones: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsGeozonesCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsGeozonesPdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsGeozonesXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getReportsMileage: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsMileageCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsMileagePdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsMileageXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getReportsRoutes: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsRoutesCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsRoutesPdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsRoutesXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getReportsSchedules: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ReportSchedule"][];
                };
            };
        };
    };
    readonly postReportsSchedules: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly addresses?: readonly string[] | null;
                    readonly cars?: readonly number[] | null;
                    readonly day?: number | null;
                    /** @enum {string} */
                    readonly every: "day" | "week" | "month";
                    readonly form?: ("xlsx" | "csv" | "pdf") | null;
                    readonly groups?: readonly number[] | null;
                    readonly lang?: ("en" | "ru") | null;
                    readonly minute: number;
                    readonly name: string;
                    readonly paused?: boolean | null;
                    /** @enum {string} */
                    readonly report: "mileage" | "stops" | "fuel" | "speeding" | "geozones" | "routes" | "tasks";
                    readonly tz?: string | null;
                    readonly userIds?: readonly number[] | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReportSchedule"];
                };
            };
        };
    };
    readonly putReportsSchedulesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly addresses?: readonly string[] | null;
                    readonly cars?: readonly number[] | null;
                    readonly day?: number | null;
                    /** @enum {string} */
                    readonly every: "day" | "week" | "month";
                    readonly form?: ("xlsx" | "csv" | "pdf") | null;
                    readonly groups?: readonly number[] | null;
                    readonly lang?: ("en" | "ru") | null;
                    readonly minute: number;
                    readonly name: string;
                    readonly paused?: boolean | null;
                    /** @enum {string} */
                    readonly report: "mileage" | "stops" | "fuel" | "speeding" | "geozones" | "routes" | "tasks";
                    readonly tz?: string | null;
                    readonly userIds?: readonly number[] | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReportSchedule"];
                };
            };
        };
    };
    readonly deleteReportsSchedulesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postReportsSchedulesByIdSend: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReportSchedule"];
                };
            };
        };
    };
    readonly getReportsSpeeding: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsSpeedingCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsSpeedingPdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsSpeedingXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getReportsStops: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsStopsCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsStopsPdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsStopsXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getReportsTasks: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FleetReport"];
                };
            };
        };
    };
    readonly getReportsTasksCsv: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getReportsTasksPdf: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly getReportsTasksXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly days?: number;
                readonly from?: number;
                readonly groups?: string;
                readonly lang?: "en" | "ru";
                readonly organizations?: string;
                readonly till?: number;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getResponsePlans: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ResponsePlan"][];
                };
            };
        };
    };
    readonly postResponsePlans: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly categoryIds?: readonly number[];
                    readonly geozoneId?: number | null;
                    readonly name: string;
                    readonly needs: readonly {
                        readonly capabilityIds?: readonly number[];
                        /** @default 1 */
                        readonly count?: number;
                        readonly kindId?: number | null;
                        /** @default  */
                        readonly role?: string;
                    }[];
                    readonly organizationId?: number | null;
                    readonly priorities?: readonly number[];
                    readonly tellOrganizationIds?: readonly number[];
                    readonly typeIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResponsePlan"];
                };
            };
        };
    };
    readonly getResponsePlansById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResponsePlan"];
                };
            };
        };
    };
    readonly putResponsePlansById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly categoryIds?: readonly number[];
                    readonly geozoneId?: number | null;
                    readonly name?: string;
                    readonly needs?: readonly {
                        readonly capabilityIds?: readonly number[];
                        /** @default 1 */
                        readonly count?: number;
                        readonly kindId?: number | null;
                        /** @default  */
                        readonly role?: string;
                    }[];
                    readonly organizationId?: number | null;
                    readonly priorities?: readonly number[];
                    readonly tellOrganizationIds?: readonly number[];
                    readonly typeIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResponsePlan"];
                };
            };
        };
    };
    readonly deleteResponsePlansById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getRights: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Right"][];
                };
            };
        };
    };
    readonly postRights: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly accesses?: readonly {
                        readonly capability_id: number;
                        readonly states?: readonly number[] | null;
                    }[];
                    readonly admin?: boolean;
                    readonly name: string;
                    readonly organizationId?: number;
                    readonly wheel?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Right"];
                };
            };
        };
    };
    readonly getRightsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Right"];
                };
            };
        };
    };
    readonly putRightsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly accesses?: readonly {
                        readonly capability_id: number;
                        readonly states?: readonly number[] | null;
                    }[];
                    readonly admin?: boolean;
                    readonly name?: string;
                    readonly organizationId?: number;
                    readonly wheel?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Right"];
                };
            };
        };
    };
    readonly deleteRightsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly delete: true;
                    };
                };
            };
        };
    };
    readonly getRouteV1ByProfileByCoordinates: {
        readonly parameters: {
            readonly query?: {
                readonly alternatives?: unknown;
                readonly annotations?: unknown;
                readonly bearings?: unknown;
                readonly continue_straight?: unknown;
                readonly generate_hints?: unknown;
                readonly geometries?: unknown;
                readonly hints?: unknown;
                readonly overview?: unknown;
                readonly radiuses?: unknown;
                readonly skip_waypoints?: unknown;
                readonly steps?: unknown;
                readonly waypoints?: unknown;
            };
            readonly path: {
                readonly coordinates: string;
                readonly profile: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly code: "Ok";
                        readonly routes: readonly ({
                            readonly distance: number;
                            readonly duration: number;
                            readonly legs: readonly ({
                                readonly distance: number;
                                readonly duration: number;
                                readonly steps: readonly {
                                    readonly [key: string]: unknown;
                                }[];
                            } & {
                                readonly [key: string]: unknown;
                            })[];
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                        readonly waypoints?: readonly ({
                            readonly distance: number;
                            readonly hint?: string;
                            readonly location: readonly number[];
                            readonly name: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                    };
                };
            };
        };
    };
    readonly getRoutes: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
                readonly name?: string;
                readonly organizations?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["PlannedRoute"][];
                };
            };
        };
    };
    readonly postRoutes: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly carsIds?: readonly number[];
                    readonly color?: string;
                    readonly corridor?: number | null;
                    readonly from?: number | null;
                    readonly line: {
                        readonly coordinates: readonly unknown[];
                        /** @constant */
                        readonly type: "LineString";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                    readonly notes?: string;
                    readonly organizationId?: number;
                    readonly points?: readonly {
                        readonly arriveAfter?: number | null;
                        readonly id?: number | null;
                        readonly lat: number;
                        readonly lon: number;
                        readonly name: string;
                        readonly radius?: number | null;
                    }[];
                    readonly till?: number | null;
                    readonly validFrom?: number;
                    readonly view?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlannedRoute"];
                };
            };
        };
    };
    readonly getRoutesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlannedRoute"];
                };
            };
        };
    };
    readonly putRoutesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly carsIds?: readonly number[];
                    readonly color?: string;
                    readonly corridor?: number | null;
                    readonly from?: number | null;
                    readonly line?: {
                        readonly coordinates: readonly unknown[];
                        /** @constant */
                        readonly type: "LineString";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly notes?: string;
                    readonly organizationId?: number;
                    readonly points?: readonly {
                        readonly arriveAfter?: number | null;
                        readonly id?: number | null;
                        readonly lat: number;
                        readonly lon: number;
                        readonly name: string;
                        readonly radius?: number | null;
                    }[];
                    readonly till?: number | null;
                    readonly validFrom?: number;
                    readonly view?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PlannedRoute"];
                };
            };
        };
    };
    readonly deleteRoutesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getRoutesByIdVersions: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["PlannedRouteVersion"][];
                };
            };
        };
    };
    readonly getSensors: {
        readonly parameters: {
            readonly query?: {
                readonly cars?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Sensor"][];
                };
            };
        };
    };
    readonly postSensors: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly calibration?: readonly (readonly [
                        number,
                        number
                    ])[];
                    readonly carId: number;
                    readonly debounce?: number | null;
                    readonly high?: number | null;
                    readonly hysteresis?: number;
                    readonly input: {
                        readonly index: number;
                        /** @enum {string} */
                        readonly kind: "input" | "adc";
                    } | {
                        /** @constant */
                        readonly kind: "param";
                        readonly name: string;
                    };
                    readonly inverted?: boolean;
                    readonly low?: number | null;
                    readonly name: string;
                    /** @enum {string} */
                    readonly type: "digital" | "ignition" | "analog" | "fuel" | "driver-key" | "failure";
                    readonly unit?: string;
                    readonly validFrom?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sensor"];
                };
            };
        };
    };
    readonly getSensorsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sensor"];
                };
            };
        };
    };
    readonly putSensorsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly calibration?: readonly (readonly [
                        number,
                        number
                    ])[];
                    readonly carId?: number;
                    readonly debounce?: number | null;
                    readonly high?: number | null;
                    readonly hysteresis?: number;
                    readonly input?: {
                        readonly index: number;
                        /** @enum {string} */
                        readonly kind: "input" | "adc";
                    } | {
                        /** @constant */
                        readonly kind: "param";
                        readonly name: string;
                    };
                    readonly inverted?: boolean;
                    readonly low?: number | null;
                    readonly name?: string;
                    /** @enum {string} */
                    readonly type?: "digital" | "ignition" | "analog" | "fuel" | "driver-key" | "failure";
                    readonly unit?: string;
                    readonly validFrom?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sensor"];
                };
            };
        };
    };
    readonly deleteSensorsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getSensorsByIdValues: {
        readonly parameters: {
            readonly query: {
                readonly every?: number;
                readonly from: number;
                readonly till: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["SensorValue"][];
                };
            };
        };
    };
    readonly getSensorsByIdVersions: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["SensorVersion"][];
                };
            };
        };
    };
    readonly getShifts: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Shift"][];
                };
            };
        };
    };
    readonly postShifts: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Shift"];
                };
            };
        };
    };
    readonly getShiftsIcs: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/calendar; charset=utf-8": string;
                };
            };
        };
    };
    readonly postShiftsByIdAccept: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Shift"];
                };
            };
        };
    };
    readonly postShiftsByIdEnd: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly handover?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Shift"];
                };
            };
        };
    };
    readonly postShiftsByIdRollCall: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Shift"];
                };
            };
        };
    };
    readonly getShiftsCurrent: {
        readonly parameters: {
            readonly query?: {
                readonly orgId?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly duties: readonly components["schemas"]["Duty"][];
                        readonly pins: readonly components["schemas"]["PinnedNote"][];
                        readonly shift: components["schemas"]["Shift"] | null;
                    };
                };
            };
        };
    };
    readonly getShiftsSettings: {
        readonly parameters: {
            readonly query?: {
                readonly orgId?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ShiftSettings"];
                };
            };
        };
    };
    readonly putShiftsSettings: {
        readonly parameters: {
            readonly query?: {
                readonly orgId?: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly safetyMinutes: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ShiftSettings"];
                };
            };
        };
    };
    readonly postSmsHook: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postSmsKey: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly key: string;
                        readonly path: string;
                    };
                };
            };
        };
    };
    readonly getSmsPhones: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CrewTelephone"][];
                };
            };
        };
    };
    readonly putSmsPhonesById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly phone: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CrewTelephone"];
                };
            };
        };
    };
    readonly getSmsSent: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly limit?: number;
                readonly state?: "queued" | "sent" | "delivered" | "failed";
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Sms"][];
                };
            };
        };
    };
    readonly postSmsSentByIdAgain: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sms"];
                };
            };
        };
    };
    readonly getSmsSettings: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SmsSettings"];
                };
            };
        };
    };
    readonly putSmsSettings: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly countryCode?: string;
                    /** @enum {string} */
                    readonly gateway: "off" | "http" | "smpp";
                    readonly hours?: number;
                    readonly http?: {
                        readonly answerContains: string;
                        readonly body: string;
                        readonly headers: string;
                        /** @enum {string} */
                        readonly hookForm: "plain" | "android";
                        readonly idField: string;
                        /** @enum {string} */
                        readonly method: "POST" | "PUT" | "GET";
                        readonly url: string;
                    };
                    /** @enum {string} */
                    readonly language?: "en" | "ru";
                    readonly login?: string;
                    /** @enum {string} */
                    readonly messages?: "chosen" | "unreachable" | "all";
                    readonly perMinute?: number;
                    readonly secret?: string | null;
                    readonly smpp?: {
                        readonly host: string;
                        readonly port: number;
                        /** @enum {string} */
                        readonly reportIds: "same" | "decimal" | "hexadecimal";
                        readonly source: string;
                        readonly systemType: string;
                        readonly tls: boolean;
                    };
                    readonly trunkPrefix?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SmsSettings"];
                };
            };
        };
    };
    readonly postSmsTest: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly to: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sms"];
                };
            };
        };
    };
    readonly getSmsUnknown: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ReceivedSms"][];
                };
            };
        };
    };
    readonly deleteSmsUnknownById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly postSmsUnknownByIdCar: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly carId: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getSpeeds: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Speeds"];
                };
            };
        };
    };
    readonly putSpeeds: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly on: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Speeds"];
                };
            };
        };
    };
    readonly getSpeedsCoverage: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SpeedsCoverage"];
                };
            };
        };
    };
    readonly getSpeedsEffect: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SpeedsEffect"];
                };
            };
        };
    };
    readonly postSpeedsRebuild: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Speeds"];
                };
            };
        };
    };
    readonly getSpeedsRoads: {
        readonly parameters: {
            readonly query: {
                readonly bounds: string;
                readonly hour?: number;
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SpeedsRoads"];
                };
            };
        };
    };
    readonly getStandby: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Standby"];
                };
            };
        };
    };
    readonly postStandbyPromotion: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly confirm: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Promotion"];
                };
            };
        };
    };
    readonly getStatisticsResponseTimes: {
        readonly parameters: {
            readonly query: {
                readonly cars?: string;
                readonly departments?: string;
                readonly from: number;
                readonly priorities?: string;
                readonly till: number;
                readonly types?: string;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResponseTimes"];
                };
            };
        };
    };
    readonly getStatisticsResponseTimesCsv: {
        readonly parameters: {
            readonly query: {
                readonly cars?: string;
                readonly departments?: string;
                readonly from: number;
                readonly lang?: "en" | "ru";
                readonly priorities?: string;
                readonly till: number;
                readonly types?: string;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv; charset=utf-8": string;
                };
            };
        };
    };
    readonly getStatisticsResponseTimesXlsx: {
        readonly parameters: {
            readonly query: {
                readonly cars?: string;
                readonly departments?: string;
                readonly from: number;
                readonly lang?: "en" | "ru";
                readonly priorities?: string;
                readonly till: number;
                readonly types?: string;
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly getStatisticsResponseTimesMessages: {
        readonly parameters: {
            readonly query: {
                readonly cars?: string;
                readonly departments?: string;
                readonly from: number;
                readonly hour?: number;
                readonly limit?: number;
                readonly missed?: "sent" | "response";
                readonly priorities?: string;
                readonly stage?: "sent" | "acknowledged" | "enRoute" | "onScene" | "clear" | "response";
                readonly till: number;
                readonly types?: string;
                readonly tz?: string;
                readonly unsent?: true | false;
                readonly weekday?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResponseTimeMessages"];
                };
            };
        };
    };
    readonly getStatisticsUnitStatus: {
        readonly parameters: {
            readonly query: {
                readonly cars?: string;
                readonly departments?: string;
                readonly from: number;
                readonly till: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnitStatusTimes"];
                };
            };
        };
    };
    readonly getStatus: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly status: readonly components["schemas"]["Status"][];
                    };
                };
            };
        };
    };
    readonly putStatusById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                    readonly visible?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly res: number;
                        readonly resText: string;
                    } & {
                        readonly status: components["schemas"]["Status"];
                    };
                };
            };
        };
    };
    readonly getSyncState: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SyncState"];
                };
            };
        };
    };
    readonly getTable: {
        readonly parameters: {
            readonly query?: {
                readonly b?: unknown;
                readonly checksum?: unknown;
                readonly distances?: unknown;
                readonly dst?: unknown;
                readonly hint?: unknown;
                readonly jsonp?: unknown;
                readonly loc?: unknown;
                readonly locs?: unknown;
                readonly profile?: unknown;
                readonly src?: unknown;
                readonly z?: unknown;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly distance_table: readonly (readonly number[])[];
                        readonly distances?: readonly (readonly (number | null)[])[];
                        readonly status: number;
                        readonly status_message?: string;
                    };
                };
            };
        };
    };
    readonly getTableV1ByProfileByCoordinates: {
        readonly parameters: {
            readonly query?: {
                readonly annotations?: unknown;
                readonly bearings?: unknown;
                readonly destinations?: unknown;
                readonly generate_hints?: unknown;
                readonly hints?: unknown;
                readonly radiuses?: unknown;
                readonly skip_waypoints?: unknown;
                readonly sources?: unknown;
            };
            readonly path: {
                readonly coordinates: string;
                readonly profile: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly code: "Ok";
                        readonly destinations?: readonly ({
                            readonly distance: number;
                            readonly hint?: string;
                            readonly location: readonly number[];
                            readonly name: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                        readonly distances?: readonly (readonly (number | null)[])[];
                        readonly durations?: readonly (readonly (number | null)[])[];
                        readonly sources?: readonly ({
                            readonly distance: number;
                            readonly hint?: string;
                            readonly location: readonly number[];
                            readonly name: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                    };
                };
            };
        };
    };
    readonly postTelemetry: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                } | readonly unknown[];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TelemetryIntake"];
                };
            };
        };
    };
    readonly postTelemetryGpslogger: {
        readonly parameters: {
            readonly query?: {
                readonly acc?: string;
                readonly act?: string;
                readonly aid?: string;
                readonly alt?: string;
                readonly batt?: string;
                readonly dir?: string;
                readonly id?: string;
                readonly lat?: string;
                readonly lon?: string;
                readonly prov?: string;
                readonly sat?: string;
                readonly ser?: string;
                readonly spd?: string;
                readonly time?: string;
                readonly timestamp?: string;
                readonly token?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForwardedIntake"];
                };
            };
        };
    };
    readonly postTelemetryOwntracks: {
        readonly parameters: {
            readonly query?: {
                readonly d?: string;
                readonly token?: string;
                readonly u?: string;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly unknown[];
                };
            };
        };
    };
    readonly getTelemetryQuarantine: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly limit?: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["QuarantineEntry"][];
                };
            };
        };
    };
    readonly postTelemetryQuarantineReplay: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly ids?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly accepted: number;
                        readonly duplicates: number;
                        readonly remaining: number;
                    };
                };
            };
        };
    };
    readonly getTelemetryRetention: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Retention"][];
                };
            };
        };
    };
    readonly putTelemetryRetentionById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly days: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Retention"];
                };
            };
        };
    };
    readonly getTelemetryRetentionByIdPreview: {
        readonly parameters: {
            readonly query?: {
                readonly days?: number;
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RetentionPreview"];
                };
            };
        };
    };
    readonly postTelemetryTraccar: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ForwardedIntake"];
                };
            };
        };
    };
    readonly getTelephony: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Telephony"];
                };
            };
        };
    };
    readonly getTelephonyCall: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly call: components["schemas"]["OutgoingCall"] | null;
                    };
                };
            };
        };
    };
    readonly postTelephonyDial: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly number: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutgoingCall"];
                };
            };
        };
    };
    readonly putTelephonyExtension: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly extension: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly extension: string;
                    };
                };
            };
        };
    };
    readonly getTelephonySettings: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExchangeSettings"];
                };
            };
        };
    };
    readonly putTelephonySettings: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly channel?: string;
                    readonly dialContext?: string;
                    readonly dialPrefix?: string;
                    readonly enabled: boolean;
                    readonly host?: string;
                    readonly lines?: readonly {
                        readonly context: string;
                        readonly extension: string;
                        readonly orgId: number;
                    }[];
                    readonly login?: string;
                    readonly plus?: string;
                    readonly port?: number;
                    readonly secret?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExchangeSettings"];
                };
            };
        };
    };
    readonly postTelephonyTest: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly host: string;
                    readonly login: string;
                    readonly port: number;
                    readonly secret?: string | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExchangeTest"];
                };
            };
        };
    };
    readonly getTerritory: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly bounds?: readonly number[];
                        readonly counts?: {
                            readonly [key: string]: number;
                        };
                        readonly damaged?: readonly string[];
                        readonly dataTime?: number | null;
                        readonly import: {
                            readonly done: number;
                            readonly error: string | null;
                            readonly file: string;
                            readonly name: string;
                            readonly refusal: components["schemas"]["Refused"] | null;
                            readonly stage: string;
                            readonly startedAt: number;
                            /** @enum {string} */
                            readonly state: "running" | "done" | "failed" | "cancelled";
                        } | null;
                        readonly importedAt?: number;
                        readonly log?: readonly string[];
                        readonly name?: string;
                        readonly previous?: {
                            readonly dataTime: number | null;
                            readonly importedAt: number;
                            readonly name: string;
                        };
                        readonly profiles?: readonly string[];
                        readonly size?: number;
                    };
                };
            };
        };
    };
    readonly postTerritory: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly force?: boolean;
                    readonly link?: number;
                    readonly name?: string;
                    readonly path?: string;
                    readonly paths?: readonly string[];
                    readonly uuid?: string;
                    readonly uuids?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly bounds?: readonly number[];
                        readonly counts?: {
                            readonly [key: string]: number;
                        };
                        readonly damaged?: readonly string[];
                        readonly dataTime?: number | null;
                        readonly import: {
                            readonly done: number;
                            readonly error: string | null;
                            readonly file: string;
                            readonly name: string;
                            readonly refusal: components["schemas"]["Refused"] | null;
                            readonly stage: string;
                            readonly startedAt: number;
                            /** @enum {string} */
                            readonly state: "running" | "done" | "failed" | "cancelled";
                        } | null;
                        readonly importedAt?: number;
                        readonly log?: readonly string[];
                        readonly name?: string;
                        readonly previous?: {
                            readonly dataTime: number | null;
                            readonly importedAt: number;
                            readonly name: string;
                        };
                        readonly profiles?: readonly string[];
                        readonly size?: number;
                    };
                };
            };
        };
    };
    readonly deleteTerritoryImport: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly status: "ok";
                    };
                };
            };
        };
    };
    readonly getTerritoryLimits: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly postTerritoryPrevious: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly bounds?: readonly number[];
                        readonly counts?: {
                            readonly [key: string]: number;
                        };
                        readonly damaged?: readonly string[];
                        readonly dataTime?: number | null;
                        readonly import: {
                            readonly done: number;
                            readonly error: string | null;
                            readonly file: string;
                            readonly name: string;
                            readonly refusal: components["schemas"]["Refused"] | null;
                            readonly stage: string;
                            readonly startedAt: number;
                            /** @enum {string} */
                            readonly state: "running" | "done" | "failed" | "cancelled";
                        } | null;
                        readonly importedAt?: number;
                        readonly log?: readonly string[];
                        readonly name?: string;
                        readonly previous?: {
                            readonly dataTime: number | null;
                            readonly importedAt: number;
                            readonly name: string;
                        };
                        readonly profiles?: readonly string[];
                        readonly size?: number;
                    };
                };
            };
        };
    };
    readonly getTerritoryStations: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["TerritoryOfStation"][];
                };
            };
        };
    };
    readonly getTilesByZByXByYMvt: {
        readonly parameters: {
            readonly query?: {
                readonly territory?: string;
            };
            readonly path: {
                readonly x: number;
                readonly y: number;
                readonly z: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.mapbox-vector-tile": string;
                };
            };
        };
    };
    readonly getTripV1ByProfileByCoordinates: {
        readonly parameters: {
            readonly query?: {
                readonly annotations?: unknown;
                readonly bearings?: unknown;
                readonly destination?: unknown;
                readonly generate_hints?: unknown;
                readonly geometries?: unknown;
                readonly hints?: unknown;
                readonly overview?: unknown;
                readonly radiuses?: unknown;
                readonly roundtrip?: unknown;
                readonly skip_waypoints?: unknown;
                readonly source?: unknown;
                readonly steps?: unknown;
            };
            readonly path: {
                readonly coordinates: string;
                readonly profile: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly code: "Ok";
                        readonly trips: readonly ({
                            readonly distance: number;
                            readonly duration: number;
                            readonly legs: readonly ({
                                readonly distance: number;
                                readonly duration: number;
                                readonly steps: readonly {
                                    readonly [key: string]: unknown;
                                }[];
                            } & {
                                readonly [key: string]: unknown;
                            })[];
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                        readonly waypoints?: readonly ({
                            readonly distance: number;
                            readonly hint?: string;
                            readonly location: readonly number[];
                            readonly name: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                    };
                };
            };
        };
    };
    readonly getUsers: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["User"][];
                };
            };
        };
    };
    readonly postUsers: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly email?: string | null;
                    readonly enabled?: boolean | null;
                    readonly extension?: string | null;
                    readonly fio: string;
                    readonly groupId?: number;
                    readonly login: string;
                    readonly monitor?: boolean | null;
                    readonly mustChangePassword?: boolean | null;
                    readonly organizationId?: number;
                    readonly password: string;
                    readonly phone?: string | null;
                    readonly visible?: boolean | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly getUsersXlsx: {
        readonly parameters: {
            readonly query?: {
                readonly lang?: "en" | "ru";
                readonly tz?: string;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly putUsersById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly email?: string | null;
                    readonly enabled?: boolean | null;
                    readonly extension?: string | null;
                    readonly fio?: string;
                    readonly groupId?: number;
                    readonly login?: string;
                    readonly monitor?: boolean | null;
                    readonly mustChangePassword?: boolean | null;
                    readonly organizationId?: number;
                    readonly password?: string | null;
                    readonly phone?: string | null;
                    readonly removeSecondFactor?: boolean | null;
                    readonly visible?: boolean | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly deleteUsersById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly delete: true;
                    };
                };
            };
        };
    };
    readonly getUsersCount: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": number;
                };
            };
        };
    };
    readonly getUsersCurrent: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CurrentUser"];
                };
            };
        };
    };
    readonly postUsersSignOut: {
        readonly parameters: {
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly userId?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly sessions: number;
                    };
                };
            };
        };
    };
    readonly getVehicleKinds: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["VehicleKind"][];
                };
            };
        };
    };
    readonly postVehicleKinds: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly glyph?: "truck" | "flame" | "ladder" | "cross" | "shield" | "wrench" | "drop" | "hook" | "snow";
                    readonly name: string;
                    /** @enum {string} */
                    readonly service?: "fire" | "medical" | "road" | "municipal" | "other";
                    readonly typeIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleKind"];
                };
            };
        };
    };
    readonly getVehicleKindsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleKind"];
                };
            };
        };
    };
    readonly putVehicleKindsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly glyph?: "truck" | "flame" | "ladder" | "cross" | "shield" | "wrench" | "drop" | "hook" | "snow";
                    readonly name?: string;
                    /** @enum {string} */
                    readonly service?: "fire" | "medical" | "road" | "municipal" | "other";
                    readonly typeIds?: readonly number[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VehicleKind"];
                };
            };
        };
    };
    readonly deleteVehicleKindsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getViaroute: {
        readonly parameters: {
            readonly query?: {
                readonly alt?: unknown;
                readonly b?: unknown;
                readonly checksum?: unknown;
                readonly compression?: unknown;
                readonly geometry?: unknown;
                readonly hint?: unknown;
                readonly instructions?: unknown;
                readonly jsonp?: unknown;
                readonly loc?: unknown;
                readonly locs?: unknown;
                readonly output?: unknown;
                readonly profile?: unknown;
                readonly u?: unknown;
                readonly uturns?: unknown;
                readonly z?: unknown;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly alternative_closures?: readonly (readonly number[])[];
                        readonly alternative_geometries?: readonly (string | readonly (readonly [
                            number,
                            number
                        ])[])[];
                        readonly alternative_indices?: readonly number[];
                        readonly alternative_instructions?: readonly (readonly (readonly (string | number)[])[])[];
                        readonly alternative_names?: readonly (readonly [
                            string,
                            string
                        ])[];
                        readonly alternative_summaries?: readonly {
                            readonly end_point: string;
                            readonly start_point: string;
                            readonly total_distance: number;
                            readonly total_time: number;
                        }[];
                        readonly closures?: readonly number[];
                        readonly found_alternative?: boolean;
                        readonly hint_data?: {
                            readonly checksum: number;
                            readonly locations: readonly string[];
                        };
                        /** @constant */
                        readonly learned_speeds?: true;
                        readonly notes?: readonly {
                            /** @constant */
                            readonly kind: "unreadable-limit";
                            readonly name: string;
                            readonly point: readonly [
                                number,
                                number
                            ];
                            readonly tag: string;
                        }[];
                        readonly route_geometry?: string | readonly (readonly [
                            number,
                            number
                        ])[];
                        readonly route_instructions?: readonly (readonly (string | number)[])[];
                        readonly route_name?: readonly [
                            string,
                            string
                        ];
                        readonly route_summary?: {
                            readonly end_point: string;
                            readonly start_point: string;
                            readonly total_distance: number;
                            readonly total_time: number;
                        };
                        readonly status: number;
                        readonly status_message: string;
                        readonly via_indices?: readonly number[];
                        readonly via_points?: readonly (readonly [
                            number,
                            number
                        ])[];
                    };
                };
            };
        };
    };
    readonly getWarningFeeds: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["WarningFeed"][];
                };
            };
        };
    };
    readonly postWarningFeeds: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly alarmFrom?: ("unknown" | "minor" | "moderate" | "severe" | "extreme") | null;
                    readonly enabled?: boolean;
                    readonly keepsUnlisted?: boolean;
                    /** @enum {string} */
                    readonly leastSeverity?: "unknown" | "minor" | "moderate" | "severe" | "extreme";
                    readonly login?: string;
                    readonly name: string;
                    readonly onlyTerritory?: boolean;
                    readonly orgId?: number;
                    readonly places?: readonly string[];
                    readonly seconds?: number;
                    readonly secret?: string | null;
                    readonly url: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WarningFeed"];
                };
            };
        };
    };
    readonly putWarningFeedsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly alarmFrom?: ("unknown" | "minor" | "moderate" | "severe" | "extreme") | null;
                    readonly enabled?: boolean;
                    readonly keepsUnlisted?: boolean;
                    /** @enum {string} */
                    readonly leastSeverity?: "unknown" | "minor" | "moderate" | "severe" | "extreme";
                    readonly login?: string;
                    readonly name?: string;
                    readonly onlyTerritory?: boolean;
                    readonly orgId?: number;
                    readonly places?: readonly string[];
                    readonly seconds?: number;
                    readonly secret?: string | null;
                    readonly url?: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WarningFeed"];
                };
            };
        };
    };
    readonly deleteWarningFeedsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @constant */
                        readonly delete: true;
                    };
                };
            };
        };
    };
    readonly postWarningFeedsByIdLook: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WarningFeed"];
                };
            };
        };
    };
    readonly postWarningFeedsPreview: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly alarmFrom?: ("unknown" | "minor" | "moderate" | "severe" | "extreme") | null;
                    readonly enabled?: boolean;
                    readonly id?: number;
                    readonly keepsUnlisted?: boolean;
                    /** @enum {string} */
                    readonly leastSeverity?: "unknown" | "minor" | "moderate" | "severe" | "extreme";
                    readonly login?: string;
                    readonly name?: string;
                    readonly onlyTerritory?: boolean;
                    readonly orgId?: number;
                    readonly places?: readonly string[];
                    readonly seconds?: number;
                    readonly secret?: string | null;
                    readonly url: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WarningFeedPreview"];
                };
            };
        };
    };
    readonly getWarnings: {
        readonly parameters: {
            readonly query?: {
                readonly ended?: true | false;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Warning"][];
                };
            };
        };
    };
    readonly getWarningsById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Warning"];
                };
            };
        };
    };
    readonly postWarningsByIdClosures: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly factor?: number;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Warning"];
                };
            };
        };
    };
    readonly deleteWarningsByIdClosures: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Warning"];
                };
            };
        };
    };
    readonly getWebhooks: {
        readonly parameters: {
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["Webhook"][];
                };
            };
        };
    };
    readonly postWebhooks: {
        readonly parameters: {
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean | null;
                    readonly name: string;
                    readonly newsTypeIds?: readonly number[] | null;
                    readonly orgIds?: readonly number[] | null;
                    readonly password?: string | null;
                    readonly types: readonly ("task.created" | "task.changed" | "task.deleted" | "unit.changed" | "comment.created" | "alarm.raised" | "alarm.changed" | "event.created" | "event.changed" | "event.deleted" | "closure.created" | "closure.changed" | "closure.deleted")[];
                    readonly url: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    readonly getWebhooksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    readonly putWebhooksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean | null;
                    readonly name: string;
                    readonly newsTypeIds?: readonly number[] | null;
                    readonly orgIds?: readonly number[] | null;
                    readonly password?: string | null;
                    readonly types: readonly ("task.created" | "task.changed" | "task.deleted" | "unit.changed" | "comment.created" | "alarm.raised" | "alarm.changed" | "event.created" | "event.changed" | "event.deleted" | "closure.created" | "closure.changed" | "closure.deleted")[];
                    readonly url: string;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    readonly deleteWebhooksById: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly getWebhooksByIdDeliveries: {
        readonly parameters: {
            readonly query?: {
                readonly before?: number;
                readonly limit?: number;
                readonly state?: "blocked" | "waiting" | "sent" | "failed";
            };
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["WebhookDelivery"][];
                };
            };
        };
    };
    readonly postWebhooksByIdDeliveriesByDeliveryIdSend: {
        readonly parameters: {
            readonly path: {
                readonly deliveryId: number;
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    readonly postWebhooksByIdSecret: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    readonly postWebhooksByIdTest: {
        readonly parameters: {
            readonly path: {
                readonly id: number;
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
}
