import { computed, ref, shallowRef } from 'vue';
import { requestStation } from '../lib/api/request-station.ts';
import { outcomeOf } from './crew-client.ts';
import { ActionQueue, type PhoneAction, type Kept, type Outcome } from './queue/action-queue.ts';
import { openPhoneStorage, type PhoneStorage } from './queue/phone-storage.ts';
import { shownState, type ShownState } from './queue/shown-state.ts';

const STATE = 'state';
/** ms between two tries to reach the station. */
const AGAIN = 3_000;

/** The state and the actions of the telephone. There is one instance. */
export class CrewStore {
  /** undefined: not asked yet. */
  readonly signedIn = ref<boolean>();
  /** The session of this telephone has ended. */
  readonly ended = ref(false);
  readonly kept = shallowRef<readonly Kept[]>([]);
  /** Actions that the station has done since its last state: without them the next step would go back for a moment. */
  readonly #done = shallowRef<readonly Kept[]>([]);
  /** When the connection was lost; 0: it stands, undefined: not tried yet. */
  readonly lostSince = ref<number>();
  readonly now = ref(Date.now());
  readonly state = shallowRef<ShownState>();
  readonly shown = computed(
    () => this.state.value && shownState(this.state.value, [...this.#done.value, ...this.kept.value]),
  );
  /** Actions of the crew that wait for the station, without read marks. */
  readonly waiting = computed(() =>
    this.kept.value.filter(({ refused, action }) => !refused && action.kind !== 'receipt'),
  );
  readonly unread = computed(
    () => this.shown.value?.messages.filter(({ own, readAt }) => !own && readAt === null).length ?? 0,
  );
  /** Messages that the crew has to answer. */
  readonly unanswered = computed(
    () => this.shown.value?.messages.filter((one) => !one.own && one.mustAnswer && one.answeredAt === null) ?? [],
  );
  readonly refused = computed(() => this.kept.value.filter(({ refused }) => refused));
  readonly #storage: PhoneStorage;
  #queue: ActionQueue | undefined;
  #wake = new AbortController();

  private constructor(storage: PhoneStorage) {
    this.#storage = storage;
  }

  static async open(): Promise<CrewStore> {
    const storage = await openPhoneStorage();
    const store = new CrewStore(storage);
    store.state.value = await storage.get<ShownState>(STATE);
    if (store.state.value) store.signedIn.value = true;
    store.#queue = await ActionQueue.open({
      storage: storage.queue,
      now: () => Date.now(),
      carId: () => store.state.value?.car.id ?? 0,
      newKey: () => crypto.randomUUID(),
      changed: (all, done) => {
        store.kept.value = all;
        store.#done.value = done;
      },
      send: (kept) => store.#send(kept),
    });
    return store;
  }

  /** Follows the station for as long as the page is open. */
  async follow(): Promise<never> {
    setInterval(() => (this.now.value = Date.now()), 1_000);
    addEventListener('online', () => this.#wakeUp());
    document.addEventListener('visibilitychange', () => document.hidden || this.#wakeUp());
    for (;;) {
      if (this.signedIn.value === false) await this.#pause();
      else if (!(await this.#learn())) await this.#pause();
    }
  }

  /** Keeps what was done, shows it as done, and sends it when it can be sent. */
  async act(action: PhoneAction): Promise<void> {
    await this.#queue!.add(action);
    void this.#run();
  }

  discard(no: number): Promise<void> {
    return this.#queue!.discard(no);
  }

  /** Signs in with a code; the sentence of the refusal, or undefined. */
  async signIn(code: string) {
    const answer = await requestStation('POST', '/crew/sign-in', { code }, { patience: 10_000 });
    if (answer.status !== 200) return answer;
    this.signedIn.value = true;
    this.#wakeUp();
    return undefined;
  }

  async signOut(): Promise<void> {
    await requestStation('POST', '/crew/sign-out');
    for (const { no } of this.kept.value) await this.#storage.queue.delete(no);
    await this.#forget();
    location.assign('/crew');
  }

  /** After the session the phone keeps no task data. Unsent actions stay, for the same vehicle. */
  async #forget(): Promise<void> {
    this.state.value = undefined;
    await this.#storage.forget();
    await globalThis.caches?.delete('crew-seen'); // tiles, and photos of tasks
  }

  /** A value that this telephone keeps. */
  remember(name: string, value: unknown): void {
    void this.#storage.set(name, value);
  }

  recall<T>(name: string): Promise<T | undefined> {
    return this.#storage.get<T>(name);
  }

  /** Asks for another state than the known one; whether the station answered. */
  async #learn(): Promise<boolean> {
    const known = this.lostSince.value === 0 ? (this.state.value?.version ?? '') : '';
    const signal = this.#wake.signal;
    const answer = await requestStation<ShownState>('GET', `/crew/state${known && `?known=${known}`}`, undefined, {
      signal,
    });
    if (signal.aborted) return true;
    if (answer.status === 401) {
      this.ended.value ||= this.state.value !== undefined;
      this.signedIn.value = false;
      this.lostSince.value = 0;
      await this.#forget();
      return true;
    }
    if (answer.status !== 200) {
      this.lostSince.value ||= Date.now();
      return false;
    }
    this.signedIn.value = true;
    this.lostSince.value = 0;
    this.state.value = answer.value!;
    this.#queue!.learned();
    this.remember(STATE, answer.value);
    void this.#markDelivered();
    void this.#run();
    return true;
  }

  /** Messages that came for the first time. */
  async #markDelivered(): Promise<void> {
    const ids = this.shown.value!.messages.filter(({ own, deliveredAt }) => !own && deliveredAt === null);
    if (ids.length === 0) return;
    navigator.vibrate?.(200);
    await this.act({ kind: 'receipt', mark: 'delivered', ids: ids.map(({ id }) => id) });
  }

  /** One page of the telephone sends at a time. */
  async #run(): Promise<void> {
    if (navigator.locks) await navigator.locks.request('waypost-crew-queue', () => this.#queue!.run());
    else await this.#queue!.run();
  }

  async #send({ key, at, carId, action }: Kept): Promise<Outcome> {
    if (!this.signedIn.value || !this.state.value) return 'later';
    if (carId !== this.state.value.car.id) return { sentence: 'waits.otherVehicle' };
    const age = Math.max(0, Date.now() - at);
    if (action.kind !== 'file') return outcomeOf(await requestStation('POST', '/crew/actions', { key, age, action }));
    const query = new URLSearchParams({ key, age: String(age), taskId: String(action.taskId), name: action.name });
    return outcomeOf(await requestStation('POST', `/crew/files?${query}`, action.bytes, { patience: 600_000 }));
  }

  #wakeUp(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  #pause(): Promise<void> {
    const { signal } = this.#wake;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, AGAIN);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}
