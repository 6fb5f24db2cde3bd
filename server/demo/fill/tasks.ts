import type { Actor } from '../../../shared/access.ts';
import { ASSIGNED, DONE, FEEDBACK } from '../../../shared/tasks/status.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import type { AttachOrder } from '../../dispatch/files/index.ts';
import type { Chance } from '../chance.ts';
import { planCalls, type PlannedCall, type CallStep } from './calls.ts';
import { demoActor } from '../demo-user.ts';
import { organizationOf } from './people.ts';
import { answersTo } from './questions.ts';
import type { Sketches } from './sketches.ts';
import type { TownFacts } from './town-facts.ts';

/** The clock of the past: set to the time of each step, and read by the room of tasks. */
export interface PastClock {
  now: number;
}

/** Replays the last 36 hours through the rules of the room of tasks, step by step in order of time. */
export async function fillTasks(
  tasks: Tasks,
  clock: PastClock,
  fleet: Fleet,
  accounts: Accounts,
  facts: TownFacts,
  sketches: Sketches,
  now: number,
  chance: Chance,
): Promise<void> {
  const planned = planCalls(facts.addresses, now, chance.fork('calls'));
  const story = planned
    .flatMap((one) => one.steps.map(({ at, step }) => ({ at, step, one })))
    .sort((a, b) => a.at - b.at);
  const actors = new Map<string, Actor>();
  const actor = (login: string): Actor => {
    const known = actors.get(login) ?? demoActor(accounts, login);
    actors.set(login, known);
    return known;
  };
  const crews = new Crews(fleet, accounts, chance.fork('crews'));
  const camera = chance.fork('camera');
  const caller = chance.fork('caller');
  const idOf = new Map<PlannedCall, number>();
  const lastComment = new Map<PlannedCall, number>();
  for (const { at, step, one } of story) {
    clock.now = at;
    if (step.kind === 'reported') {
      const photos = camera.happens(0.6) ? sketches.photosOf(one.call, one.address.cyrillic ? 'ru' : 'en') : [];
      idOf.set(
        one,
        await report(
          tasks,
          actor(step.by),
          organizationOf(accounts, one.service),
          one,
          photos,
          answersTo(one, tasks.customFieldDefinitions, caller),
        ),
      );
      continue;
    }
    const id = idOf.get(one)!;
    if (step.kind === 'said') {
      const comment = await tasks.comments.add(actor(step.by), id, {
        text: step.text,
        parentId: step.answers ? lastComment.get(one) : undefined,
      });
      lastComment.set(one, comment.id);
    } else await act(tasks, actor(step.by), id, step, one, accounts, crews);
  }
}

async function report(
  tasks: Tasks,
  actor: Actor,
  organizationId: number,
  { call, address }: PlannedCall,
  photos: AttachOrder[],
  customValues: Record<string, unknown>,
): Promise<number> {
  const language = address.cyrillic ? 'ru' : 'en';
  const type = [...tasks.types.values()].find((one) => one.name === call.type);
  const category = [...tasks.categories.values()].find((one) => one.name === call.category);
  const task = await tasks.create(
    actor,
    {
      title: `${call[language]}, ${address.text}`,
      text: call.details[language],
      typeId: type?.id ?? 1,
      categoryId: category?.id ?? 0,
      organizationId,
      address: address.text,
      point: { lat: address.lat, lon: address.lon },
      zoom: 17,
      customValues,
    },
    photos,
  );
  return task.id;
}

async function act(
  tasks: Tasks,
  actor: Actor,
  id: number,
  step: Exclude<CallStep, { kind: 'reported' | 'said' }>,
  one: PlannedCall,
  accounts: Accounts,
  crews: Crews,
): Promise<void> {
  switch (step.kind) {
    case 'assigned':
      await tasks.update(actor, id, {
        assignedOrganizationId: organizationOf(accounts, one.service),
        assignedUserId: accounts.credentials.userByLogin(one.service.login)?.id,
        assignedVehicleId: step.vehicle ? crews.send(one, id) : undefined,
        status: ASSIGNED,
      });
      return;
    case 'feedback':
      crews.free(id);
      await tasks.update(
        actor,
        id,
        { status: FEEDBACK },
        { text: step.text, visibleTo: { all: true, author: false, assignedOrganization: false, assignedUser: false } },
      );
      return;
    case 'done':
      await tasks.update(actor, id, {
        status: DONE,
        confirmed: step.approved ? 1 : 2,
        confirmedComment: step.approved ? '' : one.address.cyrillic ? 'Нет подписи заявителя' : 'Caller did not sign',
      });
      return;
    case 'archived':
      await tasks.update(actor, id, { archived: true });
  }
}

/** Which vehicle is on which task, so that no vehicle is in two places. */
class Crews {
  readonly #fleet: Fleet;
  readonly #accounts: Accounts;
  readonly #chance: Chance;
  readonly #out = new Map<number, number>();

  constructor(fleet: Fleet, accounts: Accounts, chance: Chance) {
    this.#fleet = fleet;
    this.#accounts = accounts;
    this.#chance = chance;
  }

  /** A free vehicle of the organization; undefined when all are out. */
  send({ service }: PlannedCall, taskId: number): number | undefined {
    const out = new Set(this.#out.values());
    const free = this.#fleet
      .list(this.#accounts.stationActor(), { organizationIds: [organizationOf(this.#accounts, service)] })
      .filter(({ vehicle }) => !vehicle.onService && !out.has(vehicle.id));
    if (free.length === 0) return undefined;
    const { id } = this.#chance.pick(free).vehicle;
    this.#out.set(taskId, id);
    return id;
  }

  free(taskId: number): void {
    this.#out.delete(taskId);
  }
}
