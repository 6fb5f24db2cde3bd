import { seesOrganization, type Actor } from '../../../shared/access.ts';
import { isSameNumber, plainNumber } from '../../../shared/calls/number.ts';
import { callState, isOpenCall, type CallState } from '../../../shared/calls/state.ts';
import type { PhoneCall } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import { createCall, endCall, isRepeated, takeCall, type CallOrder } from './call.ts';

interface CallsOptions {
  store: Store;
  now(): number;
  nameOfUser(id: number): string;
  /** Throws where the actor does not see the task. */
  requireTask(by: Actor, id: number): void;
}

export interface CallFilter {
  readonly open?: boolean | undefined;
  /** Calls of this subscriber. */
  readonly number?: string | undefined;
  readonly state?: CallState | undefined;
  /** Calls that led to one of these tasks. */
  readonly taskIds?: readonly number[] | undefined;
  readonly limit: number;
}

/** Conditions that an index answers. */
interface Narrowed {
  readonly open: boolean;
  /** The digits of a subscriber. */
  readonly number?: string | undefined;
  readonly taskIds?: readonly number[] | undefined;
}

/** All numbers of one subscriber share this many last digits: see `isSameNumber`. */
const COMPARED_DIGITS = 9;
const field = (name: string) => `json_extract(data, '$."${name}"')`;

/** Telephone calls (README). */
export class Calls {
  readonly #options: CallsOptions;
  readonly #records: Records<PhoneCall>;
  /** Serializes reports, so that two of one call make one record. */
  readonly #turns = new Mutex();

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#records = options.store.kind<PhoneCall>('fleet', 'call');
  }

  /** The newest first. */
  list(by: Actor, { open, number, state, taskIds, limit }: CallFilter): PhoneCall[] {
    const now = this.#options.now();
    const asked = number === undefined ? undefined : plainNumber(number);
    if (asked === '') return [];
    const found: PhoneCall[] = [];
    for (const call of this.#newestFirst({ open: open === true, number: asked?.replace('+', ''), taskIds })) {
      if (
        !call.isDeleted &&
        seesOrganization(by, call.organizationId) &&
        (open === undefined || isOpenCall(call) === open) &&
        (state === undefined || callState(call, now) === state) &&
        (asked === undefined || isSameNumber(call.number, asked))
      )
        found.push(call);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Stored calls along one index of their kind, so that most of years of calls are never read. */
  *#newestFirst({ open, number, taskIds }: Narrowed): Generator<PhoneCall> {
    const { store } = this.#options;
    const [index, condition, ...values] = taskIds
      ? (['calls of tasks', `${field('taskId')} IN (SELECT value FROM json_each(?))`, JSON.stringify(taskIds)] as const)
      : open
        ? (['calls by end', `${field('endedAt')} = 0`] as const)
        : number === undefined
          ? (['calls by time', 'true'] as const)
          : (['calls by number', `${field('number')} LIKE '%' || ?`, number.slice(-COMPARED_DIGITS)] as const);
    const rows = store.sql
      .prepare(
        `SELECT data FROM ${store.table('fleet')} INDEXED BY "${index}" WHERE deleted = 0 AND kind = 'call' AND ${condition} ORDER BY ${field('at')} DESC, ${field('id')} DESC`,
      )
      .iterate(...values);
    for (const row of rows) yield JSON.parse(String(row['data'])) as PhoneCall;
  }

  get(by: Actor, id: number): PhoneCall {
    const call = this.#records.get(id);
    if (!call || call.isDeleted || !seesOrganization(by, call.organizationId))
      throw new Refusal('calls.missing', { id });
    return call;
  }

  /** Stores a call, or answers the open one that is reported again. */
  report(by: Actor, order: CallOrder): Promise<PhoneCall> {
    return this.reportFor(by.user.organizationId, order);
  }

  /** @param isOngoing the call may have begun long ago, so an open one of the number is the same at any age */
  reportFor(organizationId: number, order: CallOrder, isOngoing = false): Promise<PhoneCall> {
    return this.#turns.run(async () => {
      const now = this.#options.now();
      const open = [...this.#newestFirst({ open: true })];
      const known = open.find((call) => isRepeated(call, order, organizationId, isOngoing ? call.at : now));
      return known ?? this.#records.insert(createCall(this.#records.nextId(), order, organizationId, now));
    });
  }

  async take(by: Actor, id: number): Promise<PhoneCall> {
    this.get(by, id);
    const { now, nameOfUser } = this.#options;
    return this.#records.change(id, (call) => takeCall(call, by.user.id, nameOfUser, now()));
  }

  /** @param taskId the task that it led to; undefined: to none */
  async end(by: Actor, id: number, taskId: number | undefined): Promise<PhoneCall> {
    this.get(by, id);
    if (taskId !== undefined) this.#options.requireTask(by, taskId);
    return this.#records.change(id, (call) => endCall(call, by.user.id, taskId, this.#options.now()));
  }

  /** The exchange says that the caller is gone. Who has taken the call may name its task later. */
  async hangUp(by: Actor, id: number): Promise<PhoneCall> {
    this.get(by, id);
    return this.gone(id);
  }

  /** As `hangUp`, for the station's own exchange. */
  gone(id: number): Promise<PhoneCall> {
    return this.#records.change(id, (call) => endCall(call, undefined, undefined, this.#options.now()));
  }
}
