import type { AmiMessage } from './ami-wire.ts';

/**
 * `dialing`: the exchange was asked. `lift`: the person's own telephone rings. `ringing`: it rings at the other end.
 * `refused`: it came to nothing. `ended`: somebody hung up. `lost`: the exchange went away meanwhile.
 */
export const OUTGOING_STATES = [
  'dialing',
  'lift',
  'calling',
  'ringing',
  'answered',
  'refused',
  'ended',
  'lost',
] as const;
export type OutgoingState = (typeof OUTGOING_STATES)[number];

/** Why a call came to nothing; empty: it did not. `desk`: the person's own telephone was not lifted. */
export const OUTGOING_REASONS = ['', 'desk', 'busy', 'noAnswer', 'unreachable'] as const;
export type OutgoingReason = (typeof OUTGOING_REASONS)[number];

/** A call that a person asked for. Times are epoch ms. */
export interface OutgoingCall {
  /** The id of its channel. */
  readonly id: string;
  readonly userId: number;
  /** As it was written. */
  readonly number: string;
  /** Digits that are dialled. */
  readonly dialled: string;
  readonly extension: string;
  readonly state: OutgoingState;
  readonly reason: OutgoingReason;
  readonly at: number;
  readonly answeredAt: number | null;
  readonly endedAt: number | null;
}

type Step = Pick<OutgoingCall, 'state'> & { readonly reason?: OutgoingReason; readonly isEnd?: true };

/** Calls that people request, by the exchange's reports about their channels: the last one of each person. */
export class OutgoingCalls {
  readonly #now: () => number;
  readonly #byId = new Map<string, OutgoingCall>();
  readonly #idOf = new Map<number, string>();
  readonly #waiting = new Map<string, () => void>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Of this person; undefined: none since the start of the station. */
  of(userId: number): OutgoingCall | undefined {
    return this.#byId.get(this.#idOf.get(userId) ?? '');
  }

  begin(call: Pick<OutgoingCall, 'id' | 'userId' | 'number' | 'dialled' | 'extension'>): void {
    this.#byId.delete(this.#idOf.get(call.userId) ?? '');
    this.#idOf.set(call.userId, call.id);
    const times = { at: this.#now(), answeredAt: null, endedAt: null };
    this.#byId.set(call.id, { ...call, state: 'dialing', reason: '', ...times });
  }

  /** Resolves as soon as the exchange reports something of the call, or after this time. */
  async heardOf(id: string, within: number): Promise<OutgoingCall | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, within);
    this.#waiting.set(id, resolve);
    if (this.#byId.get(id)?.state === 'dialing') await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return this.#byId.get(id);
  }

  take(event: AmiMessage): void {
    const isResponse = event.get('event') === 'OriginateResponse';
    const call = this.#byId.get(event.get(isResponse ? 'actionid' : 'uniqueid') ?? '');
    const step = call?.endedAt === null ? stepOf(call, event) : undefined;
    if (call && step) this.#put(call, step);
  }

  /** The exchange would not take it. */
  refuse(id: string): void {
    const call = this.#byId.get(id);
    if (call) this.#put(call, { state: 'refused', isEnd: true });
  }

  /** The exchange is gone: nothing more will be heard of open calls. */
  lose(): void {
    for (const call of [...this.#byId.values()])
      if (call.endedAt === null) this.#put(call, { state: 'lost', isEnd: true });
  }

  #put(call: OutgoingCall, { state, reason = '', isEnd }: Step): void {
    const now = this.#now();
    this.#byId.set(call.id, {
      ...{ ...call, state, reason },
      answeredAt: state === 'answered' ? now : call.answeredAt,
      endedAt: isEnd ? now : null,
    });
    this.#waiting.get(call.id)?.();
  }
}

const REASONS: Readonly<Record<string, OutgoingReason>> = { BUSY: 'busy', NOANSWER: 'noAnswer' };

/** The state after an event of the channel; undefined: as before. */
function stepOf({ state, reason }: OutgoingCall, event: AmiMessage): Step | undefined {
  const isOwnTelephone = state === 'dialing' || state === 'lift';
  switch (event.get('event')) {
    case 'OriginateResponse':
      return event.get('response') === 'Failure' ? { state: 'refused', reason: 'desk', isEnd: true } : undefined;
    case 'Newstate':
      if (!isOwnTelephone) return undefined;
      if (event.get('channelstatedesc') === 'Up') return { state: 'calling' };
      return event.get('channelstatedesc')?.startsWith('Ring') ? { state: 'lift' } : undefined;
    // The dial plan may try another way after one that was refused.
    case 'DialBegin':
      return { state: 'calling' };
    case 'DialState':
      return event.get('dialstatus') === 'RINGING' ? { state: 'ringing' } : undefined;
    case 'DialEnd': {
      const status = event.get('dialstatus') ?? '';
      if (status === 'CANCEL') return undefined;
      return status === 'ANSWER'
        ? { state: 'answered' }
        : { state: 'refused', reason: REASONS[status] ?? 'unreachable' };
    }
    case 'Hangup':
      if (state === 'refused') return { state, reason, isEnd: true };
      return isOwnTelephone ? { state: 'refused', reason: 'desk', isEnd: true } : { state: 'ended', isEnd: true };
    default:
      return undefined;
  }
}
