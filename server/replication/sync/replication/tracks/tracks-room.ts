/** A part of a track: all of its points between two times, both inclusive, in epoch ms. */
export interface TrackChunk {
  readonly vehicleId: number;
  readonly from: number;
  readonly until: number;
  readonly count: number;
}

/** Sums of a vehicle's drives up to its last point. */
export interface TrackSums {
  readonly vehicleId: number;
  readonly time: number;
  readonly odometer: number;
  readonly engineStop: number;
  readonly engineMove: number;
}

/** Parts of tracks on their way to another station. */
export interface TrackPart {
  readonly chunks: readonly TrackChunk[];
  readonly sums: readonly TrackSums[];
  /** The points, as the room packs them. */
  readonly bytes: Uint8Array;
}

/** A vehicle whose track a link carries, from a time on. */
export interface CarriedVehicle {
  readonly id: number;
  readonly since: number;
}

/** The part of telemetry that the lanes of tracks need. */
export interface TracksRoom {
  /** The name of its store. Another store has none of the points that were sent to this one. */
  readonly name: string;
  vehicles(): Iterable<number>;
  /** Sets which store reads over a link. Resolves when it is on disk. */
  setReader(link: number, name: string): Promise<void>;
  /** Forgets what was sent over all other links. */
  keepReaders(links: readonly number[]): Promise<void>;
  /** The next unsent points of these vehicles, oldest first. */
  read(
    link: number,
    vehicles: readonly CarriedVehicle[],
  ): Promise<TrackPart & { readonly token: number; readonly unfinished: readonly number[] }>;
  /** How many points are unsent, a million at most. */
  count(link: number, vehicles: readonly CarriedVehicle[]): Promise<number>;
  /** The other station has these parts on disk. False: the batch is to be read again. */
  confirm(link: number, token: number, chunks: readonly TrackChunk[]): Promise<boolean>;
  /** Stores points of these vehicles. Resolves when they are on disk. */
  take(
    link: number,
    part: TrackPart,
    vehicleIds: Iterable<number>,
  ): Promise<{ readonly refused: number; readonly conflicts: number }>;
  /** Called with the vehicles that have new points, and the link that brought all of them. */
  watch(listener: (vehicleIds: readonly number[], link: number | undefined) => void): () => void;
}
