import { addressesOf } from './addresses.ts';
import { readConsoleFile, WrongConsoleFile, type Choice, type ConnectionMemory } from './console-settings.ts';
import { probeStation, relationOf, type Answer } from './probe.ts';
import type { ConnectRequest, ConnectState, Problem, ShownCertificate, StationFacts, StationNearby } from './states.ts';

/** The station whose console the windows show. */
export type Connection =
  | { readonly kind: 'here' }
  | {
      readonly kind: 'station';
      readonly address: string;
      readonly name: string;
      /** The only certificate that is accepted; undefined: one that the system trusts. */
      readonly fingerprint: string | undefined;
    };

interface ConnectorOptions {
  readonly memory: ConnectionMemory;
  readonly version: string;
  readonly mayChoose: boolean;
  /** Shows a state to a person. */
  show(state: ConnectState): void;
  /** Called with the station that a person or a file chose, once it has answered and is trusted. */
  connected(connection: Connection): void;
  /** Asks the person for a file; undefined when they have none. */
  pickFile(): Promise<string | undefined>;
  /** Looks for stations until `stop` is called. */
  browse(changed: (nearby: readonly StationNearby[]) => void): () => void;
  /** ms between two attempts to reach a station. */
  readonly retryEvery?: number;
  readonly patience?: number;
}

/** ms after which the window shows that a station is being asked. */
const SLOW = 700;

type OfStation = Extract<Choice, { kind: 'station' }>;

/**
 * Leads from a choice to a station that has answered: asks which, confirms its certificate once, and says in words
 * why there is no connection. A later attempt makes an earlier one void.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  #state: ConnectState = { kind: 'choose', nearby: [] };
  #choice: OfStation | undefined;
  /** A person chose this one just now: it is stored when it answers. */
  #isNew = false;
  #attempt = 0;
  #retry: NodeJS.Timeout | undefined;
  #stopBrowsing: (() => void) | undefined;
  #nearby: readonly StationNearby[] = [];

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  get state(): ConnectState {
    return this.#state;
  }

  /** Opens the choice, or asks for one. */
  start(choice: Choice | undefined): void {
    if (choice === undefined) this.choose();
    else if (choice.kind === 'here') this.#finish({ kind: 'here' });
    else void this.#try(choice, false);
  }

  /** Asks the person which station. */
  choose(problem?: Problem): void {
    this.#attempt++;
    clearTimeout(this.#retry);
    this.#isNew = false;
    this.#show({
      kind: 'choose',
      nearby: this.#nearby,
      ...(problem && { problem }),
      ...(this.#choice && { now: this.#choice.name ?? this.#choice.address }),
    });
    this.#stopBrowsing ??= this.#options.browse((nearby) => {
      this.#nearby = nearby;
      if (this.#state.kind === 'choose') this.#show({ ...this.#state, nearby });
    });
  }

  /** Says that a file of settings cannot be used; `retry` reads it again. */
  refuse(error: WrongConsoleFile): void {
    this.#show({ kind: 'wrong-settings', file: error.file, detail: error.message });
  }

  /** The windows have lost their station: asks for it until it answers again. */
  lost(connection: Extract<Connection, { kind: 'station' }>, problem: Problem): void {
    if (this.#state.kind === 'waiting' && this.#retry !== undefined) return;
    this.#choice = { ...this.#choice, ...withoutPin(connection) };
    this.#wait(this.#choice, problem);
  }

  /** The station shows another certificate than the confirmed one: looks which. */
  changed(connection: Extract<Connection, { kind: 'station' }>): void {
    if (this.#state.kind === 'changed' || this.#state.kind === 'asking') return;
    void this.#try({ ...this.#choice, ...withoutPin(connection) }, false);
  }

  /** Executes a request of the page if the current state allows it. */
  async answer(request: ConnectRequest): Promise<void> {
    const state = this.#state;
    const { memory, mayChoose } = this.#options;
    switch (request.ask) {
      case 'view':
        return this.#options.show(state);
      case 'here':
        if (state.kind !== 'choose' || !mayChoose) return;
        memory.choose({ kind: 'here' });
        return this.#finish({ kind: 'here' });
      case 'station':
        if (state.kind !== 'choose' || !mayChoose) return;
        return this.#try({ kind: 'station', address: request.address, name: this.#nameAt(request.address) }, true);
      case 'file':
        if (state.kind !== 'choose' || !mayChoose) return;
        return this.#fromFile();
      case 'confirm':
        if (state.kind === 'confirm' && state.station.certificate?.fingerprint === request.fingerprint) {
          memory.pin(state.station.address, request.fingerprint);
          return this.#meet(this.#choice!, state.station, request.fingerprint);
        }
        if (state.kind === 'changed' && state.mayAccept && state.shown.fingerprint === request.fingerprint) {
          memory.pin(state.address, request.fingerprint);
          return this.#try(this.#choice!, this.#isNew);
        }
        return;
      case 'open':
        if (state.kind !== 'version') return;
        memory.acceptVersion(state.station.address, state.station.version);
        return this.#meet(this.#choice!, state.station, this.#pinOf(this.#choice!, state.station.address));
      case 'retry':
        if (this.#choice && state.kind !== 'choose') return this.#try(this.#choice, this.#isNew);
        return;
      case 'choose':
        if (mayChoose) this.choose();
        return;
      case 'look':
        return; // the shell's
    }
  }

  close(): void {
    this.#attempt++;
    clearTimeout(this.#retry);
    this.#stopBrowsing?.();
    this.#stopBrowsing = undefined;
  }

  async #fromFile(): Promise<void> {
    const path = await this.#options.pickFile();
    if (path === undefined) return;
    try {
      const file = readConsoleFile(path);
      if (!file) throw new WrongConsoleFile(path, 'ENOENT');
      const { address, name, fingerprint } = file;
      await this.#try({ kind: 'station', address, name, fingerprint }, true);
    } catch (error) {
      if (!(error instanceof WrongConsoleFile)) throw error;
      this.choose({ code: 'wrong-file', detail: error.message });
    }
  }

  async #try(choice: OfStation, isNew: boolean): Promise<void> {
    const attempt = ++this.#attempt;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#isNew = isNew;
    const addresses = addressesOf(choice.address);
    if (typeof addresses === 'string')
      return this.#fail(choice, { code: addresses === 'plain' ? 'plain' : 'wrong-address' });
    this.#sayAsking(choice.address, isNew);
    let first: Answer | undefined;
    for (const address of addresses) {
      const pinned = this.#pinOf(choice, address);
      const answer = await probeStation(address, { pinned, ...patience(this.#options) });
      if (attempt !== this.#attempt) return;
      if (answer.kind === 'other-certificate') return this.#refuse({ ...choice, address }, pinned!, answer.shown);
      if (answer.kind === 'station')
        return this.#meet({ ...choice, address }, answer.station, pinned, answer.isTrusted);
      first ??= answer;
    }
    this.#fail(choice, first!.kind === 'problem' ? first!.problem : { code: 'no-answer' });
  }

  /**
   * A repeated question behind a page of words does not flicker; a station that answers at once needs no
   * page.
   */
  #sayAsking(address: string, isNew: boolean): void {
    if (isNew) return this.#show({ kind: 'asking', address });
    const attempt = this.#attempt;
    const isStill = (): boolean => attempt === this.#attempt && this.#retry === undefined;
    if (this.#state.kind !== 'choose') return;
    setTimeout(
      () => isStill() && this.#state.kind === 'choose' && this.#show({ kind: 'asking', address }),
      SLOW,
    ).unref();
  }

  /** The station has answered. Confirms what is to be confirmed, and opens it. */
  #meet(choice: OfStation, station: StationFacts, pinned: string | undefined, isTrusted = false): void {
    const { memory, version } = this.#options;
    this.#choice = choice;
    if (pinned === undefined && !isTrusted && station.certificate) return this.#show({ kind: 'confirm', station });
    const relation = relationOf(station.version, version);
    if (relation !== 'same' && memory.versionOf(station.address) !== station.version)
      return this.#show({ kind: 'version', station, own: version, relation });
    if (this.#isNew) {
      memory.choose({ kind: 'station', address: station.address, name: station.name });
      // The file may come from a USB stick, so its certificate is stored as confirmed.
      if (pinned !== undefined) memory.pin(station.address, pinned);
    }
    this.#finish({
      kind: 'station',
      address: station.address,
      name: station.name,
      fingerprint: station.certificate && pinned,
    });
  }

  #refuse(choice: OfStation, known: string, shown: ShownCertificate): void {
    this.#choice = choice;
    const { address, name } = choice;
    const mayAccept = choice.fingerprint === undefined;
    this.#show({ kind: 'changed', address, known, shown, mayAccept, ...(name !== undefined && { name }) });
  }

  /** A person who has just typed an address can type another one; a station of every day is waited for. */
  #fail(choice: OfStation, problem: Problem): void {
    if (this.#isNew) return this.choose(problem);
    this.#choice = choice;
    this.#wait(choice, problem);
  }

  #wait(choice: OfStation, problem: Problem): void {
    const { address, name } = choice;
    this.#show({ kind: 'waiting', address, problem, ...(name !== undefined && { name }) });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#try(choice, false), this.#options.retryEvery ?? 5_000);
  }

  #nameAt(address: string): string | undefined {
    return this.#nearby.find((station) => station.address === address)?.name;
  }

  #pinOf({ fingerprint }: OfStation, address: string): string | undefined {
    return fingerprint ?? this.#options.memory.pinOf(address);
  }

  #finish(connection: Connection): void {
    if (connection.kind === 'station') this.#choice = { ...this.#choice, ...withoutPin(connection) };
    this.#isNew = false;
    this.close();
    this.#options.connected(connection);
  }

  #show(state: ConnectState): void {
    this.#state = state;
    this.#options.show(state);
  }
}

/** A pin of a connection may be a person's; the choice has only an administrator's. */
function withoutPin({ address, name }: Extract<Connection, { kind: 'station' }>): OfStation {
  return { kind: 'station', address, name };
}

function patience({ patience }: ConnectorOptions): { patience?: number } {
  return patience === undefined ? {} : { patience };
}
