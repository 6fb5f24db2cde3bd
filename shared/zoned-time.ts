import { Refusal } from './refusal.ts';

/** Wall clock of a time zone (IANA name), with daylight saving time. */
export class ZonedTime {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  /** Offsets by quarter of an hour: zones change only then, and a call of `Intl` takes microseconds. */
  readonly #offsets = new Map<number, number>();

  /** Throws for an unknown zone. */
  constructor(zone: string) {
    try {
      this.#format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch (error) {
      throw new Refusal('field.timeZone', { zone: zone.slice(0, 100) }, { cause: error });
    }
    this.zone = this.#format.resolvedOptions().timeZone;
  }

  /** The zone of this machine. */
  static here(): ZonedTime {
    return new ZonedTime(Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  /** Milliseconds by which the zone's clock is ahead of UTC. */
  offset(instant: number): number {
    const quarter = Math.floor(instant / 900_000);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      const parts = Object.fromEntries(
        this.#format.formatToParts(quarter * 900_000).map(({ type, value }) => [type, Number(value)]),
      );
      offset =
        Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute'], parts['second']) -
        quarter * 900_000;
      if (this.#offsets.size > 50_000) this.#offsets.clear();
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  /** The wall clock as if it were UTC: for formatting, and for cells of workbooks, which have no zones. */
  wall(instant: number): Date {
    return new Date(instant + this.offset(instant));
  }

  /** The start of the zone's day that contains this instant. */
  dayOf(instant: number): number {
    const wall = instant + this.offset(instant);
    return this.instantOf(Math.floor(wall / 86_400_000) * 86_400_000);
  }

  /**
   * The instant at which the zone's clock shows this time, given as if it were UTC: the earlier of two when
   * the clock goes back; extrapolated when it goes forward.
   */
  instantOf(wall: number): number {
    const [before, after] = [this.offset(wall - 86_400_000), this.offset(wall + 86_400_000)];
    const late = this.offset(wall - before) !== before && this.offset(wall - after) === after;
    return wall - (late ? after : before);
  }

  /** `UTC+03:00`, at this instant. */
  name(instant: number): string {
    const minutes = Math.round(Math.abs(this.offset(instant)) / 60_000);
    return `UTC${this.offset(instant) < 0 ? '−' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  }

  /** `31.12.2026 23:59:58` */
  text(instant: number, seconds = true): string {
    const [date, time] = this.wall(instant).toISOString().split('T') as [string, string];
    return `${date.split('-').reverse().join('.')} ${time.slice(0, seconds ? 8 : 5)}`;
  }
}
