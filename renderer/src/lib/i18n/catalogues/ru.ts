import { ru as access } from './accounts/access.ts';
import { ru as account } from './accounts/account.ts';
import { ru as administration } from './accounts/administration.ts';
import { ru as audit } from './accounts/audit.ts';
import { ru as crews } from './accounts/crews.ts';
import { ru as board } from './board/board.ts';
import { ru as card } from './board/card.ts';
import { ru as command } from './board/command.ts';
import { ru as intake } from './board/intake.ts';
import { ru as layouts } from './board/layouts.ts';
import { ru as presets } from './board/presets.ts';
import { ru as proposals } from './board/proposals.ts';
import { ru as queue } from './board/queue.ts';
import { ru as alarms } from './events/alarms.ts';
import { ru as events } from './events/events.ts';
import { ru as feed } from './events/feed.ts';
import { ru as warnings } from './events/warnings.ts';
import { ru as fleetDirectories } from './fleet/fleet-directories.ts';
import { ru as fleet } from './fleet/fleet.ts';
import { ru as imports } from './fleet/imports.ts';
import { ru as ownPlaces } from './fleet/own-places.ts';
import { ru as thresholds } from './fleet/thresholds.ts';
import { ru as units } from './fleet/units.ts';
import { ru as drawing } from './map/drawing.ts';
import { ru as map } from './map/map.ts';
import { ru as routes } from './map/routes.ts';
import { ru as speeds } from './map/speeds.ts';
import { ru as design } from './shell/design.ts';
import { ru as help } from './shell/help.ts';
import { ru as pages } from './shell/pages.ts';
import { ru as settings } from './shell/settings.ts';
import { ru as entry } from './shell/sign-in.ts';
import { ru as topBar } from './shell/top-bar.ts';
import { ru as shifts } from './shifts/shifts.ts';
import { ru as mailbox } from './stations/mailbox.ts';
import { ru as publish } from './stations/publish.ts';
import { ru as station } from './stations/station.ts';
import { ru as stations } from './stations/stations.ts';
import { ru as archive } from './tasks/archive.ts';
import { ru as calls } from './tasks/calls.ts';
import { ru as telephone } from './tasks/telephone.ts';
import { ru as directories } from './tasks/directories.ts';
import { ru as past } from './tasks/past.ts';
import { ru as protocols } from './tasks/protocols.ts';
import { ru as reports } from './tasks/reports.ts';
import { ru as statistics } from './tasks/statistics.ts';
import { ru as task } from './tasks/task.ts';
import { ru as refusal } from '../refusal-texts.ts';
import type { Catalogue } from './en.ts';

export const ru: Catalogue = {
  brand: 'Waypost',
  loading: 'Загружается',
  windowTitle: 'Waypost {station}',
  languages: { en: 'English', ru: 'Русский' },
  palettes: { day: 'День', dusk: 'Сумерки', night: 'Ночь' },
  problems: {
    refused: 'Станция отказала: {said}',
    unreachable: 'Нет связи со станцией. Ничего не изменено.',
    unasked: 'Нет связи со станцией: сейчас ничего не найти.',
    late: 'Станция не ответила вовремя. Повторите запрос.',
    notConfirmed: 'Станция не ответила вовремя. Прежде чем повторять, проверьте, выполнено ли действие.',
    noPage: 'Нет связи со станцией, а эта страница ещё не загружена.',
    noMap: 'Не удалось загрузить карту. Если она не появится, обновите страницу.',
    notAllowed: 'Ваша роль «{right}» этого не позволяет.',
  },
  access,
  account,
  administration,
  alarms,
  warnings,
  archive,
  audit,
  calls,
  telephone,
  card,
  command,
  crews,
  design,
  directories,
  drawing,
  events,
  feed,
  fleet,
  fleetDirectories,
  help,
  imports,
  layouts,
  presets,
  mailbox,
  ownPlaces,
  pages,
  past,
  protocols,
  publish,
  queue,
  refusal,
  reports,
  routes,
  settings,
  shifts,
  speeds,
  station,
  stations,
  statistics,
  task,
  thresholds,
  units,
  ...board,
  ...entry,
  ...intake,
  ...map,
  ...proposals,
  ...topBar,
};
