import { z } from 'zod';
import { seesOrganization } from '../../../shared/access.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';
import { reason, type Reason } from '../../../shared/refusals/reason.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { TaskUnits } from '../../dispatch/tasks/index.ts';
import { presentUpdate } from '../fleet/vehicle-presenters.ts';
import { closeWith } from './closing.ts';
import { KeptStateMessages, LONG_LIST } from './kept-states.ts';
import { CLOSE_REASONS, POLICY_VIOLATION } from './limits.ts';
import type { LiveClient } from './live-client.ts';

export interface FollowedVehiclesOptions {
  readonly fleet: Fleet;
  readonly units: Pick<TaskUnits, 'judge'>;
  readonly clients: ReadonlySet<LiveClient>;
  send(client: LiveClient, text: string | Buffer): void;
  sendError(client: LiveClient, why: Reason): void;
}

/** The data of the messages that name vehicles. */
export const GlonassIds = z.array(z.int());

/** Which vehicles each client follows, and the states to be sent. */
export class FollowedVehicles {
  readonly #options: FollowedVehiclesOptions;
  readonly #kept = new KeptStateMessages();
  readonly #texts = new WeakMap<LastState, string>();

  constructor(options: FollowedVehiclesOptions) {
    this.#options = options;
  }

  /** SET replaces the list; ADD appends, because a long list does not fit into one message. */
  follow(client: LiveClient, command: 'SET_OBSERVABLE_CARS' | 'ADD_OBSERVABLE_CARS', data: unknown): void {
    const named = GlonassIds.safeParse(data).data;
    if (!named) return this.#options.sendError(client, reason('request.socketVehicles', { command }));
    if (command === 'SET_OBSERVABLE_CARS') {
      client.moved.clear();
      client.followed = new Set();
    }
    const added: number[] = [];
    for (const glonassId of named) {
      if (client.followed.has(glonassId)) continue;
      if (client.followed.size === LIVE_LIMITS.followed)
        return closeWith(client.socket, POLICY_VIOLATION, CLOSE_REASONS.tooManyFollowed);
      client.followed.add(glonassId);
      added.push(glonassId);
    }
    if (added.length === 0) return;
    const list = named.length < LONG_LIST ? undefined : listName(client.caller, named);
    const kept = list === undefined ? undefined : this.#kept.get(list);
    if (kept) {
      this.#options.send(client, kept.message);
      for (const id of kept.moved) if (this.follows(client, id)) client.moved.add(id);
      return;
    }
    const known = added
      .map((glonassId) => this.#options.fleet.withDevice({ glonassId })?.id)
      .filter((id) => id !== undefined);
    const text = this.textOf(client, known);
    if (list === undefined) return this.#options.send(client, text);
    const message = Buffer.from(text);
    this.#options.send(client, message);
    // Of a list that holds vehicles twice, or already followed ones, only some were sent.
    if (added.length === named.length) this.#kept.keep(list, message);
  }

  /** These states are sent with the next positions. */
  markMoved(states: readonly LastState[]): void {
    for (const { id } of states) this.#kept.markMoved(id);
    for (const client of this.#options.clients) {
      if (client.followed.size === 0) continue;
      for (const state of states) {
        const vehicle = this.#options.fleet.get(state.id);
        if (vehicle && client.followed.has(vehicle.glonassId)) client.moved.add(state.id);
      }
    }
  }

  /** A task of these vehicles changed, and with it what their crews may report. */
  markJudged(vehicleIds: ReadonlySet<number>): void {
    const states = [...vehicleIds].flatMap((id) => this.#options.fleet.states.get(id) ?? []);
    for (const state of states) this.#texts.delete(state);
    this.markMoved(states);
  }

  /** The states of those of these vehicles that the client follows. */
  textOf(client: LiveClient, vehicleIds: readonly number[]): string {
    const texts = vehicleIds
      .filter((id) => this.follows(client, id))
      .map((id) => this.#stateText(id))
      .filter((text) => text !== '');
    return `{"command":"CAR_UPDATES","data":[${texts.join(',')}]}`;
  }

  /** Whether the client follows a vehicle, and may see it. */
  follows(client: LiveClient, vehicleId: number): boolean {
    const vehicle = this.#options.fleet.get(vehicleId);
    return (
      vehicle !== undefined &&
      client.followed.has(vehicle.glonassId) &&
      seesOrganization(client.caller, vehicle.organizationId)
    );
  }

  /** Vehicles changed, so that kept messages are out of date. */
  forgetKept(): void {
    this.#kept.clear();
  }

  /** Serializes a state once, however many clients follow the vehicle. */
  #stateText(vehicleId: number): string {
    const state = this.#options.fleet.states.get(vehicleId);
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!state || !vehicle || state.time === 0) return '';
    const written =
      this.#texts.get(state) ?? JSON.stringify(presentUpdate(vehicle, state, this.#options.units.judge(vehicleId)));
    this.#texts.set(state, written);
    return written;
  }
}

/** A name for the list: the viewer's rights and the vehicles that are asked for. */
function listName({ user, role }: Caller, glonassIds: readonly number[]): string {
  return `${role.superuser ? 'all' : user.organizationId}:${glonassIds.join()}`;
}
