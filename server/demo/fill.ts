import { randomBytes } from 'node:crypto';
import type { TaskType } from '../../shared/records/index.ts';
import type { Accounts } from '../access/accounts/index.ts';
import { Attachments, type Files } from '../dispatch/files/index.ts';
import type { Fleet } from '../dispatch/fleet/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Store } from '../store/types.ts';
import { CustomFieldDefinitions, Tasks } from '../dispatch/tasks/index.ts';
import type { Telemetry } from '../tracking/telemetry/index.ts';
import { readExtract, type Territory } from '../geo/territory/index.ts';
import { fillPastDrives, type PastRooms } from './fill/past-drives.ts';
import { demoActor } from './demo-user.ts';
import { DEMO_LOGINS, fillPeople } from './fill/people.ts';
import { fillPlans } from './fill/plans.ts';
import { fillQuestions } from './fill/questions.ts';
import { uploadSketches } from './fill/sketches.ts';
import { fillTasks, type PastClock } from './fill/tasks.ts';
import { factsOf } from './fill/town-facts.ts';
import { fillGarage, fillModels, fillVehicles, firstFixes } from './fill/vehicles.ts';
import { fillRoutes, fillSensors, fillZones } from './fill/zones.ts';
import { chanceFrom } from './chance.ts';

export interface DemoRooms {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly fleet: Fleet;
  readonly files: Files;
  readonly telemetry: Pick<Telemetry, 'ingest'>;
  readonly territory: Territory;
}

export interface DemoOptions {
  /** The demo territory: `resources/demo/town.osm.pbf`. */
  readonly extract: string;
  /** Epoch ms; the tasks are those of the 36 hours before. */
  readonly now: number;
  readonly seed?: number;
}

/**
 * Fills an empty station with the demo town, its organizations, people, vehicles and the tasks of the last 36
 * hours, all through the rules of the rooms. An interrupted fill continues at the next start; a station with
 * records of its own is never filled. Returns whether the station is a demo.
 */
export async function fillDemo(rooms: DemoRooms, { extract, now, seed = 7 }: DemoOptions): Promise<boolean> {
  const { store, accounts, fleet, files, telemetry, territory } = rooms;
  const stages = new Stages(store);
  await stages.open();
  if (!stages.begun && !isEmpty(rooms)) return false;
  await reviveLogins(rooms);
  if (stages.done('tasks')) return true;

  const chance = chanceFrom(seed);
  const facts = factsOf(await readExtract(extract));
  await stages.run('people', () => fillPeople(accounts, facts.town, randomBytes(24).toString('base64url')));
  // Records that vehicles refer to must be committed first, because rules read committed data.
  await stages.run('garage', () => fillGarage(fleet, accounts));
  await stages.run('models', () => fillModels(fleet, accounts));
  await stages.run('vehicles', () => fillVehicles(fleet, accounts, chance.fork('vehicles')));
  await stages.run('plans', () => fillPlans(store, fleet, accounts));
  await stages.run('questions', () =>
    fillQuestions(new CustomFieldDefinitions(store), store.kind<TaskType>('directories', 'type').all()),
  );
  const since = now - 36 * 3_600_000;
  await stages.run('zones', () => fillZones(fleet, accounts, facts, since));
  await stages.run('routes', () => fillRoutes(fleet, accounts, facts, since));
  await stages.run('sensors', () => fillSensors(fleet, accounts, since));
  if (!stages.done('positions')) {
    await telemetry.ingest(firstFixes(fleet, accounts, facts, now - 5000, chance.fork('positions')), 'demo');
    await stages.run('positions', async () => {});
  }
  if (!territory.info) await territory.import({ files: [extract], name: facts.town });
  // Files take time, and a stage must not contain slow work.
  const sketches = await uploadSketches(files, demoActor(accounts, 'dispatcher').user.id);
  await stages.run('tasks', async () => {
    const clock: PastClock = { now };
    const attachments = new Attachments({ store, files, now: () => clock.now });
    const tasks = new Tasks({ store, fleet, attachments, now: () => clock.now });
    await fillTasks(tasks, clock, fleet, accounts, facts, sketches, now, chance.fork('tasks')).finally(() =>
      tasks.close(),
    );
  });
  return true;
}

/**
 * Gives the vehicles of the demo two weeks of tracks, once, in small batches, and records when they are
 * complete. The next start repeats an interrupted run. Returns the function that stops it.
 */
export function fillDemoPast(
  rooms: PastRooms & Pick<DemoRooms, 'store'>,
  now: number,
  filled: () => unknown,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const stages = new Stages(rooms.store);
  const ending = new AbortController();
  const fill = async (): Promise<void> => {
    if (stages.done('past drives') || !(await fillPastDrives(rooms, now, chanceFrom(11), ending.signal))) return;
    await stages.run('past drives', async () => {});
    await filled();
  };
  const done = fill().catch((error: unknown) => {
    if (!ending.signal.aborted) failed(error);
  });
  return () => {
    ending.abort();
    return done;
  };
}

/**
 * The demo logins that still open a station with their public passwords; empty if the demo was never there.
 */
export async function publicLogins({ store, accounts }: Pick<DemoRooms, 'store' | 'accounts'>): Promise<string[]> {
  const stages = new Stages(store);
  await stages.open();
  if (!stages.begun) return [];
  const open: string[] = [];
  const { credentials } = accounts;
  for (const { login, password } of DEMO_LOGINS) if (await credentials.opens(login, password)) open.push(login);
  return open;
}

/**
 * Disables the demo logins that still have their public passwords, because this start is not the demo. Returns
 * them. A later start of the demo enables them again (`reviveLogins`).
 */
export async function endLogins(rooms: Pick<DemoRooms, 'store' | 'accounts'>): Promise<string[]> {
  const ended = await publicLogins(rooms);
  if (ended.length === 0 || rooms.store.readOnly !== undefined) return [];
  await setEnabled(rooms, ended, false);
  await rooms.store.writePlain((sql) => sql.prepare('INSERT OR IGNORE INTO demo_stages (stage) VALUES (?)').run(ENDED));
  return ended;
}

/** Enables the demo logins that `endLogins` disabled, if their passwords are still the public ones. */
async function reviveLogins({ store, accounts }: Pick<DemoRooms, 'store' | 'accounts'>): Promise<void> {
  if (!new Stages(store).done(ENDED)) return;
  const disabled = DEMO_LOGINS.map(({ login }) => login).filter(
    (login) => accounts.credentials.userByLogin(login)?.enabled === false,
  );
  await setEnabled({ accounts }, disabled, true);
  await store.writePlain((sql) => sql.prepare('DELETE FROM demo_stages WHERE stage = ?').run(ENDED));
}

/** The stage that says that the demo logins were disabled. */
const ENDED = 'logins ended';

async function setEnabled(
  { accounts }: Pick<DemoRooms, 'accounts'>,
  logins: string[],
  enabled: boolean,
): Promise<void> {
  for (const login of logins) {
    const user = accounts.credentials.userByLogin(login);
    if (!user || user.enabled === enabled) continue;
    // The last administrator of a station stays; the warning at the start names them.
    await accounts.administration.changeUser(accounts.stationActor(), user.id, { enabled }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }
}

function isEmpty({ store, fleet, accounts, territory }: DemoRooms): boolean {
  return (
    fleet.list(accounts.stationActor()).length === 0 &&
    store.records('tasks').count() === 0 &&
    territory.info === undefined
  );
}

/** Which parts of the demo are complete; each part and its note are one transaction. */
class Stages {
  readonly #store: Store;
  constructor(store: Store) {
    this.#store = store;
  }

  async open(): Promise<void> {
    await this.#store.writePlain((sql) => sql.exec('CREATE TABLE IF NOT EXISTS demo_stages (stage TEXT PRIMARY KEY)'));
  }

  get begun(): boolean {
    return this.#store.sql.prepare('SELECT count(*) AS count FROM demo_stages').get()?.['count'] !== 0;
  }

  done(stage: string): boolean {
    return this.#store.sql.prepare('SELECT stage FROM demo_stages WHERE stage = ?').get(stage) !== undefined;
  }

  async run(stage: string, work: () => Promise<void>): Promise<void> {
    if (this.done(stage)) return;
    await this.#store.transaction(async () => {
      await work();
      await this.#store.writePlain((sql) => sql.prepare('INSERT INTO demo_stages (stage) VALUES (?)').run(stage));
    });
  }
}
