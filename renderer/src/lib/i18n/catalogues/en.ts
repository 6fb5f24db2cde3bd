import { en as access } from './accounts/access.ts';
import { en as account } from './accounts/account.ts';
import { en as administration } from './accounts/administration.ts';
import { en as audit } from './accounts/audit.ts';
import { en as crews } from './accounts/crews.ts';
import { en as board } from './board/board.ts';
import { en as card } from './board/card.ts';
import { en as command } from './board/command.ts';
import { en as intake } from './board/intake.ts';
import { en as layouts } from './board/layouts.ts';
import { en as presets } from './board/presets.ts';
import { en as proposals } from './board/proposals.ts';
import { en as queue } from './board/queue.ts';
import { en as alarms } from './events/alarms.ts';
import { en as events } from './events/events.ts';
import { en as feed } from './events/feed.ts';
import { en as warnings } from './events/warnings.ts';
import { en as fleetDirectories } from './fleet/fleet-directories.ts';
import { en as fleet } from './fleet/fleet.ts';
import { en as imports } from './fleet/imports.ts';
import { en as ownPlaces } from './fleet/own-places.ts';
import { en as thresholds } from './fleet/thresholds.ts';
import { en as units } from './fleet/units.ts';
import { en as drawing } from './map/drawing.ts';
import { en as map } from './map/map.ts';
import { en as routes } from './map/routes.ts';
import { en as speeds } from './map/speeds.ts';
import { en as design } from './shell/design.ts';
import { en as help } from './shell/help.ts';
import { en as pages } from './shell/pages.ts';
import { en as settings } from './shell/settings.ts';
import { en as entry } from './shell/sign-in.ts';
import { en as topBar } from './shell/top-bar.ts';
import { en as shifts } from './shifts/shifts.ts';
import { en as mailbox } from './stations/mailbox.ts';
import { en as publish } from './stations/publish.ts';
import { en as station } from './stations/station.ts';
import { en as stations } from './stations/stations.ts';
import { en as archive } from './tasks/archive.ts';
import { en as calls } from './tasks/calls.ts';
import { en as telephone } from './tasks/telephone.ts';
import { en as directories } from './tasks/directories.ts';
import { en as past } from './tasks/past.ts';
import { en as protocols } from './tasks/protocols.ts';
import { en as reports } from './tasks/reports.ts';
import { en as statistics } from './tasks/statistics.ts';
import { en as task } from './tasks/task.ts';
import { en as refusal } from '../refusal-texts.ts';
import type { Translation } from './catalogue.ts';

/**
 * The words of the console. `ru.ts` has the same keys: the compiler and a test see to it. Larger areas have a
 * file of their own, with both languages in it.
 */
export const en = {
  brand: 'Waypost',
  loading: 'Loading',
  windowTitle: 'Waypost {station}',
  languages: { en: 'English', ru: 'Русский' },
  palettes: { day: 'Day', dusk: 'Dusk', night: 'Night' },
  problems: {
    refused: 'The station refused: {said}',
    unreachable: 'The station cannot be reached. Nothing was changed.',
    unasked: 'The station cannot be reached. This cannot be loaded now.',
    late: 'The station did not answer in time. Try again.',
    notConfirmed: 'The station did not answer in time. Look whether it was done before you try again.',
    noPage: 'The station cannot be reached, and this page is not loaded yet.',
    noMap: 'The map could not be loaded. If it does not appear, reload the page.',
    notAllowed: 'Your role, {right}, does not allow this.',
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

export type Catalogue = Translation<typeof en>;
