import type { SENSOR_TYPES } from '../../../../shared/fleet/sensors.ts';
import type { Bounds } from '../../../../shared/geo/bounds.ts';
import type { AnswerOf, Schema } from './operations.ts';

/*
 * Answers of the interface that the console reads. Area A sends numbers and flags as text. The description has no
 * tuples, so those are written here.
 */

export type CurrentUser = Schema<'CurrentUser'>;
export type HistoryLine = Schema<'HistoryItem'>;
export type CommentLine = Schema<'CommentItem'>;
/** An event of a vehicle, ended or lasting. */
export type EventItem = Schema<'Event'>;
export type EventTypeItem = Schema<'EventType'>;
/** A message in full (A3). */
export type NewsDetail = Schema<'NewsDetail'>;
/** One attachment of a message (A4); a video has no name. */
export type AttachmentItem = Schema<'Attachment'>;
/** GET /cars/:id, as far as the console reads it. */
export type VehicleDetail = Schema<'CarDetail'>;
/** One of GET /sensors/:id/values */
export type SensorValue = Schema<'SensorValue'>;
/** GET /alarms/stats; times in ms. */
export type AlarmRateAnswer = Schema<'AlarmRate'>;
/** One of GET /cars/:id/sensors/values: null where nothing was said lately. */
export type DeviceCommandItem = Schema<'DeviceCommand'>;
export type CurrentSensorValue = Schema<'CurrentSensorValue'>;
export type FirstRun = AnswerOf<'get', '/first-run'>;
export type Health = Omit<AnswerOf<'get', '/health'>, 'territory'> & {
  readonly territory: { readonly name: string; readonly bounds: Bounds; readonly importedAt: number } | null;
};
export type PlaceGroup = AnswerOf<'get', '/geocoding'>[number];
export type Place = PlaceGroup['items'][number];
export type TerritoryAnswer = Omit<AnswerOf<'get', '/territory'>, 'bounds'> & { readonly bounds?: Bounds };
/** Progress of an import; `done` is 0 to 1. */
export type TerritoryImport = NonNullable<TerritoryAnswer['import']>;
/** A vehicle as the station ranks it for a place: seconds and metres by road, null when there is no road. */
export type Recommendation = Omit<Schema<'Recommendation'>, 'reasonCodes'> & {
  readonly reasonCodes: readonly ReasonCode[];
};
/** The vehicles that a response plan asks for, the missing ones, and the districts that become empty. */
export type ProposalAnswer = Omit<Schema<'Proposal'>, 'units' | 'short' | 'others'> & {
  readonly units: readonly ProposedVehicle[];
  readonly short: readonly MissingVehicles[];
  readonly others: readonly Recommendation[];
};
export type ProposedVehicle = Recommendation & Pick<Schema<'ProposedUnit'>, 'name' | 'kindId' | 'role' | 'arrivesAt'>;
export type MissingVehicles = Omit<Schema<'Proposal'>['short'][number], 'nearest'> & {
  readonly nearest:
    | (Omit<NonNullable<Schema<'Proposal'>['short'][number]['nearest']>, 'reasonCodes'> & {
        readonly reasonCodes: readonly ReasonCode[];
      })
    | null;
};
/** GET /alarms also lists alarms that are over, which the replica does not hold. */
export type AlarmItem = Omit<Schema<'Alarm'>, 'priority'> & { readonly priority: 1 | 2 | 3 | 4 };

export interface ReasonCode {
  readonly code: string;
  readonly [value: string]: string | number | undefined;
}

export interface RoutedAnswer {
  readonly status: number;
  readonly status_message: string;
  readonly route_geometry: string;
  readonly route_summary: {
    readonly total_time: number;
    readonly total_distance: number;
    readonly start_point: string;
    readonly end_point: string;
  };
  /** The asked points on roads. */
  readonly via_points: readonly (readonly [lat: number, lon: number])[];
  readonly closures?: readonly number[];
}

/** One position record of CAR_UPDATES. */
export interface PositionRecord {
  readonly glonassId: number;
  /** When the fix was taken, epoch ms. */
  readonly data: number;
  /** When the station stored it, epoch ms. */
  readonly sysData: number;
  readonly lat: number;
  readonly lon: number;
  /** km/h */
  readonly speed: number;
  /** degrees clockwise from north */
  readonly direction: number;
  readonly unitStatus?: number;
  /** epoch ms */
  readonly unitStatusSince?: number;
  /** Digits that the station accepts now; missing: all. */
  readonly allowedStatuses?: readonly number[];
  /** The task that it is on its way to, by which the others are barred. */
  readonly sentTo?: number;
}

/** One record of EVENT_UPDATES: the current event, or its deletion. */
export type EventUpdate =
  | (EventItem & { readonly withdrawn?: false })
  | { readonly id: number; readonly eventId: number; readonly withdrawn: true };

/** GET /sensors */
export interface SensorItem {
  readonly id: number;
  readonly carId: number;
  readonly name: string;
  readonly unit: string;
  readonly type: (typeof SENSOR_TYPES)[number];
  readonly input:
    { readonly kind: 'input' | 'adc'; readonly index: number } | { readonly kind: 'param'; readonly name: string };
  readonly inverted: boolean;
  readonly calibration: readonly (readonly [raw: number, real: number])[];
  readonly low: number | null;
  readonly high: number | null;
  readonly hysteresis: number;
  readonly debounce: number | null;
  /** epoch ms */
  readonly validFrom: number;
  /** Planned versions, ordered by time. */
  readonly planned: readonly Omit<SensorItem, 'id' | 'carId' | 'unit' | 'planned'>[];
}
