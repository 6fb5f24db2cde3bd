import { calls } from './dispatch/calls.ts';
import { citizens } from './dispatch/citizens.ts';
import { commands } from './dispatch/commands.ts';
import { mailbox } from './dispatch/mailbox.ts';
import { places } from './dispatch/places.ts';
import { reports } from './dispatch/reports.ts';
import { shifts } from './dispatch/shifts.ts';
import { tasks, state } from './dispatch/tasks.ts';
import { telephony } from './dispatch/telephony.ts';
import { warnings } from './dispatch/warnings.ts';
import { accounts } from './interface/accounts.ts';
import { field, geometry } from './interface/fields.ts';
import { imports } from './interface/imports.ts';
import { odata } from './interface/odata.ts';
import { publish } from './interface/publish.ts';
import { record } from './interface/records.ts';
import { request } from './interface/requests.ts';
import { consoles } from './station/consoles.ts';
import { workers } from './station/workers.ts';
import { files } from './station/files.ts';
import { platform } from './station/platform.ts';
import { store, backup } from './station/store.ts';
import { sync } from './station/sync.ts';
import { closures, routing } from './territory/routing.ts';
import { territory } from './territory/territory.ts';
import { crews } from './tracking/crews.ts';
import { devices } from './tracking/devices.ts';
import { alarms, events } from './tracking/events.ts';
import { fleet } from './tracking/fleet.ts';
import { sms } from './tracking/sms.ts';
import { telemetry } from './tracking/telemetry.ts';

/** Every refusal by its room and name. Its code is both: `tasks.missing`. */
export const REFUSALS = {
  accounts,
  alarms,
  backup,
  calls,
  citizens,
  closures,
  commands,
  consoles,
  workers,
  crews,
  devices,
  events,
  field,
  files,
  fleet,
  geometry,
  imports,
  mailbox,
  odata,
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
  telephony,
  territory,
  warnings,
} as const;
