import { accounts } from './accounts.ts';
import { calls } from './calls.ts';
import { commands } from './commands.ts';
import { crews } from './crews.ts';
import { alarms, events } from './events.ts';
import { field, geometry } from './fields.ts';
import { files } from './files.ts';
import { fleet } from './fleet.ts';
import { imports } from './imports.ts';
import { places } from './places.ts';
import { platform } from './platform.ts';
import { publish } from './publish.ts';
import { record } from './records.ts';
import { reports } from './reports.ts';
import { request } from './requests.ts';
import { closures, routing } from './routing.ts';
import { shifts } from './shifts.ts';
import { sms } from './sms.ts';
import { store, backup } from './store.ts';
import { sync } from './sync.ts';
import { tasks, state } from './tasks.ts';
import { telemetry } from './telemetry.ts';
import { territory } from './territory.ts';

/** Every refusal by its room and name. Its code is both: `tasks.missing`. */
export const REFUSALS = {
  accounts,
  alarms,
  backup,
  calls,
  closures,
  commands,
  crews,
  events,
  field,
  files,
  fleet,
  geometry,
  imports,
  places,
  platform,
  publish,
  record,
  reports,
  request,
  routing,
  shifts,
  sms,
  state,
  store,
  sync,
  tasks,
  telemetry,
  territory,
} as const;
