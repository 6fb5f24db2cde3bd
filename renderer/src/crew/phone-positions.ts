import { shallowRef } from 'vue';
import { requestStation } from '../lib/api/request-station.ts';
import type { CrewStore } from './crew-store.ts';

export interface PhoneFix {
  /** By the clock of the telephone. */
  readonly at: number;
  readonly lat: number;
  readonly lon: number;
  /** km/h; undefined: not told. */
  readonly speed?: number | undefined;
  /** degrees */
  readonly direction?: number | undefined;
}

/** ms between two fixes that are kept, and between two times of sending. */
const EVERY = 5_000;
/** Kept without coverage: some 40 minutes; then the oldest go. */
const MOST = 500;

/** Where the telephone is, for the map and for the station. */
export class PhonePositions {
  /** The last fix; undefined: none yet, or not allowed. */
  readonly last = shallowRef<PhoneFix>();
  readonly #store: CrewStore;
  #unsent: PhoneFix[] = [];
  #batch: { readonly key: string; readonly fixes: readonly PhoneFix[] } | undefined;

  constructor(store: CrewStore) {
    this.#store = store;
    navigator.geolocation?.watchPosition((position) => this.#note(position), undefined, {
      enableHighAccuracy: true,
      maximumAge: EVERY,
    });
    setInterval(() => void this.#send(), EVERY);
  }

  #note({ coords, timestamp }: GeolocationPosition): void {
    const before = this.last.value;
    const { latitude: lat, longitude: lon, speed, heading } = coords;
    const direction = heading === null || Number.isNaN(heading) ? undefined : heading;
    const fix = { at: timestamp, lat, lon, speed: speed === null ? undefined : speed * 3.6, direction };
    this.last.value = fix;
    const kept = this.#unsent.at(-1) ?? before;
    if (kept && fix.at - kept.at < EVERY) return;
    this.#unsent = [...this.#unsent, fix].slice(-MOST);
  }

  async #send(): Promise<void> {
    const { signedIn, lostSince, state } = this.#store;
    if (state.value?.tracked) this.#unsent = [];
    if (this.#batch === undefined) {
      if (this.#unsent.length === 0) return;
      this.#batch = { key: crypto.randomUUID(), fixes: this.#unsent };
      this.#unsent = [];
    }
    if (!signedIn.value || lostSince.value !== 0) return this.#takeBack();
    const { key, fixes } = this.#batch;
    const now = Date.now();
    const sent = fixes.map(({ at, ...fix }) => ({ ...fix, age: Math.max(0, Math.round(now - at)) }));
    const { status } = await requestStation('POST', '/crew/positions', { key, fixes: sent });
    if (status !== 0 && status !== 429 && status < 500) this.#batch = undefined;
  }

  /** Nothing was sent of it, so that it may grow. */
  #takeBack(): void {
    this.#unsent = [...this.#batch!.fixes, ...this.#unsent].slice(-MOST);
    this.#batch = undefined;
  }
}
