import { RoadLimits } from '../../../shared/roads/road-limits.ts';
import type { RouteLeg } from './trip.ts';
import type { GroundPosition } from './position.ts';

/** The station cannot be reached, or is not ready yet. */
export class StationAway extends Error {
  override readonly name = 'StationAway';
}
/** The station refused, in its words; retrying does not help. */
export class StationRefused extends Error {
  override readonly name = 'StationRefused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface VehicleSeen {
  readonly id: number;
  readonly name: string;
  readonly glonassId: number;
  readonly groupId: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly lastUpdate: number | null;
  readonly onService: boolean;
  readonly unitStatus: number | null;
}

export interface FixSent {
  readonly glonassId: number;
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number;
  readonly direction: number;
  readonly height: number;
  readonly gpsCount: number;
  readonly glonassCount: number;
  /** Bit 0: the ignition. */
  readonly inputs: number;
  /** Volts of the fuel gauge: 0 empty, 5 full. */
  readonly adc: readonly number[];
  readonly params: { readonly unit_status: number };
}

/** A task of the replica feed, with the fields for a crew. */
export interface TaskSeen {
  readonly key: string;
  readonly _deleted?: boolean;
  readonly id: number;
  readonly status: number;
  readonly statusSince: number;
  readonly assignedVehicleId: number;
  readonly archived: boolean;
  readonly isDeleted: boolean;
  readonly point: GroundPosition | null;
}

export interface Pulled {
  readonly epoch: string;
  readonly reset?: boolean;
  readonly documents: readonly TaskSeen[];
  readonly checkpoint: string | number;
  readonly more: boolean;
}

const PATIENCE = 10_000;
/** Volts of the fuel gauge of a full tank. */
export const FUEL_GAUGE = 5;
/** Vehicles whose sensors are requested in parallel. */
const AT_ONCE = 20;

/** How to reach the station. */
export interface StationAddress {
  readonly url: string;
  /** May see vehicles and tasks and report on tasks. */
  readonly token: string;
  /** May send positions; default: `token`. */
  readonly telemetryToken?: string | undefined;
}

/** A client of the station's own interface. */
export class StationClient {
  readonly #find: () => StationAddress | undefined;
  #at: StationAddress | undefined;

  /**
   * @param find called at first, and again when the station does not answer or rejects the token: a restarted
   * one may have another address
   */
  constructor(find: () => StationAddress | undefined) {
    this.#find = find;
  }

  async bounds(): Promise<readonly [number, number, number, number] | undefined> {
    const { territory } = (await this.#ask('GET', '/health')) as {
      territory: { bounds: [number, number, number, number] } | null;
    };
    return territory?.bounds;
  }

  async vehicles(): Promise<VehicleSeen[]> {
    return (await this.#ask('GET', '/cars')) as VehicleSeen[];
  }

  /** Fuel levels (share of the tank) of vehicles whose gauge the station knows, as last sent. */
  async fuel(vehicles: readonly VehicleSeen[]): Promise<Map<number, number>> {
    const sensors = (await this.#ask('GET', '/sensors')) as readonly {
      id: number;
      carId: number;
      type: string;
      input: { kind: string; index?: number };
    }[];
    const gauges = new Map(
      sensors
        .filter(({ type, input }) => type === 'fuel' && input.kind === 'adc' && input.index === 0)
        .map(({ id, carId }) => [carId, id]),
    );
    const heard = vehicles.filter(({ id, lastUpdate }) => lastUpdate !== null && gauges.has(id));
    const levels = new Map<number, number>();
    for (let from = 0; from < heard.length; from += AT_ONCE) {
      await Promise.all(
        heard.slice(from, from + AT_ONCE).map(async ({ id }) => {
          const values = (await this.#ask('GET', `/cars/${id}/sensors/values`)) as readonly {
            id: number;
            raw: number | null;
          }[];
          const raw = values.find((value) => value.id === gauges.get(id))?.raw;
          if (raw !== null && raw !== undefined) levels.set(id, Math.min(1, Math.max(0, raw / FUEL_GAUGE)));
        }),
      );
    }
    return levels;
  }

  async addVehicle(name: string, glonassId: number): Promise<void> {
    await this.#ask('POST', '/cars', { name, glonassId });
  }

  async tasks(after: string | number, epoch: string | undefined): Promise<Pulled> {
    return (await this.#ask(
      'GET',
      `/replica/messages?after=${after}&limit=1000${epoch === undefined ? '' : `&epoch=${encodeURIComponent(epoch)}`}`,
    )) as Pulled;
  }

  async report(taskId: number, status: number, text: string): Promise<void> {
    await this.#ask('POST', `/news/${taskId}/update`, {
      assigned_status: status,
      update_comments: text,
      updatecomment_visible_all: 't',
    });
  }

  async send(fixes: readonly FixSent[]): Promise<void> {
    await this.#ask('POST', '/telemetry', fixes);
  }

  /** The nearest point on a road. */
  async nearest({ lat, lon }: GroundPosition): Promise<GroundPosition | undefined> {
    const found = (await this.#ask('GET', `/nearest?loc=${lat.toFixed(6)},${lon.toFixed(6)}`)) as {
      status: number;
      mapped_coordinate?: [number, number];
    };
    return found.mapped_coordinate?.length === 2
      ? { lat: found.mapped_coordinate[0], lon: found.mapped_coordinate[1] }
      : undefined;
  }

  /** The fastest route with its legs, or undefined. */
  async way(
    from: GroundPosition,
    to: GroundPosition,
  ): Promise<{ geometry: GroundPosition[]; legs: RouteLeg[] } | undefined> {
    const place = ({ lat, lon }: GroundPosition): string => `loc=${lat.toFixed(6)},${lon.toFixed(6)}`;
    const found = (await this.#ask(
      'GET',
      `/viaroute?${place(from)}&${place(to)}&alt=false&instructions=true&compression=false`,
    )) as {
      status: number;
      route_geometry?: [number, number][];
      route_instructions?: (string | number)[][];
    };
    if (!found.route_geometry || found.status !== 0) return undefined;
    return {
      geometry: found.route_geometry.map(([lat, lon]) => ({ lat, lon })),
      // Columns of an instruction: code, name, metres, position in the geometry, seconds, …
      legs: (found.route_instructions ?? []).map((row) => ({
        distance: Number(row[2]),
        position: Number(row[3]),
        time: Number(row[4]),
      })),
    };
  }

  /** The speed limits of the roads; undefined when the station has none. */
  async limits(): Promise<RoadLimits | undefined> {
    try {
      return RoadLimits.from(await this.#fetch('GET', '/territory/limits'));
    } catch (error) {
      if (error instanceof StationRefused && error.status === 404) return undefined;
      throw error;
    }
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const bytes = await this.#fetch(method, path, body);
    return bytes.byteLength === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
  }

  async #fetch(method: string, path: string, body?: unknown): Promise<ArrayBuffer> {
    const at = (this.#at ??= this.#find());
    if (!at) throw new StationAway('No station runs.');
    const token = path === '/telemetry' ? (at.telemetryToken ?? at.token) : at.token;
    let response: Response;
    let bytes: ArrayBuffer;
    try {
      response = await fetch(at.url.replace(/\/+$/, '') + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(PATIENCE),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      bytes = await response.arrayBuffer();
    } catch (error) {
      this.#at = undefined;
      throw new StationAway(`${at.url} does not answer.`, { cause: error });
    }
    if (response.status >= 500 || response.status === 429)
      throw new StationAway(`${at.url} answers ${response.status}.`);
    if (response.status === 401) {
      this.#at = this.#find();
      if (this.#at && this.#at.token !== at.token) throw new StationAway(`${at.url} was restarted.`);
    }
    if (!response.ok) throw new StationRefused(response.status, new TextDecoder().decode(bytes).slice(0, 300));
    return bytes;
  }
}
