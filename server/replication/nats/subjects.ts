/** Number of parts into which positions are split by vehicle. A stream never changes it. */
export const PARTITIONS = 8;

export function partitionOf(vehicleId: number): number {
  return vehicleId % PARTITIONS;
}

/** Names of streams and subjects of one region. */
export class Subjects {
  readonly #region: string;

  constructor(region: string) {
    this.#region = region;
  }

  /** Stream with the last state of each record, and the owners of station numbers. */
  get changesStream(): string {
    return `waypost_${this.#region}_changes`;
  }

  /** Stream of positions that devices sent. */
  get positionsStream(): string {
    return `waypost_${this.#region}_positions`;
  }

  /** Bucket of the object store with the bytes of files. */
  get filesBucket(): string {
    return `waypost_${this.#region}_files`;
  }

  changes(): readonly string[] {
    return [`${this.#root}.changes.>`, this.numbers];
  }

  /** Stream with the sessions of consoles, by the hash of their token. */
  get sessionsStream(): string {
    return `waypost_${this.#region}_sessions`;
  }

  get sessions(): string {
    return `${this.#root}.sessions.*`;
  }

  session(hash: string): string {
    return `${this.#root}.sessions.${hash}`;
  }

  changesOf(collection: string): string {
    return `${this.#root}.changes.${collection}.>`;
  }

  change(collection: string, key: string): string {
    return `${this.#root}.changes.${collection}.${key}`;
  }

  /** The key of a record, from the subject of its last state. */
  keyOf(subject: string): string {
    return subject.slice(subject.lastIndexOf('.') + 1);
  }

  get numbers(): string {
    return `${this.#root}.numbers.*`;
  }

  /** Holds the id of the station that has the number. */
  number(number: number): string {
    return `${this.#root}.numbers.${number}`;
  }

  positions(depot?: string): readonly string[] {
    return [`${this.#positions(depot)}.*.*`];
  }

  positionsOf(partition: number, depot?: string): string {
    return `${this.#positions(depot)}.${partition}.*`;
  }

  /** @param vehicleId 0: of no vehicle */
  position(vehicleId: number, depot?: string): string {
    return `${this.#positions(depot)}.${partitionOf(vehicleId)}.${vehicleId}`;
  }

  /** Stream with the logs of partitions: the events that workers computed. */
  get revisionsStream(): string {
    return `waypost_${this.#region}_revisions`;
  }

  get revisions(): string {
    return `${this.#root}.revisions.*`;
  }

  revisionsOf(partition: number): string {
    return `${this.#root}.revisions.${partition}`;
  }

  /** Stream with the owners of partitions; an entry that is not renewed expires. */
  get leasesStream(): string {
    return `waypost_${this.#region}_leases`;
  }

  get leases(): string {
    return `${this.#root}.leases.*.*`;
  }

  /** Where a worker says that it is here. */
  leaseOfWorker(id: string): string {
    return `${this.#root}.leases.worker.${id}`;
  }

  leaseOfPartition(partition: number): string {
    return `${this.#root}.leases.partition.${partition}`;
  }

  /** Devices without a vehicle; kept nowhere. */
  get unknownDevices(): string {
    return `${this.#root}.unknown`;
  }

  /** Where a station tells of itself; without an id those of all stations. */
  station(id = '*'): string {
    return `${this.#root}.stations.${id}`;
  }

  /** Where a station answers questions for a file. */
  files(stationId: string): string {
    return `${this.#root}.files.${stationId}`;
  }

  /** Asks all stations which of them has a file. */
  get fileHolders(): string {
    return `${this.#root}.file-holders`;
  }

  /** Where a station tells map services under which closures it asks. */
  get mapConditions(): string {
    return `${this.#root}.maps.conditions`;
  }

  /** Where map services with this territory and these closures answer; the question may be a wildcard. */
  mapQuestion(territory: string, closures: string, question: string): string {
    return `${this.#root}.maps.${territory}.${closures}.${question}`;
  }

  /** A depot has subjects of its own: the streams of the centre and of other depots would store them, too. */
  #positions(depot: string | undefined): string {
    return depot === undefined ? `${this.#root}.positions` : `${this.#root}.depots.${depot}`;
  }

  get #root(): string {
    return `waypost.${this.#region}`;
  }
}
