/** Shapes of the interface's answers that the console reads (area A sends numbers and flags as text). */
export interface CurrentUser {
  readonly id: number;
  readonly login: string;
  readonly fio: string;
  readonly organizationId: number;
  readonly currentOrgId?: number;
  readonly organization?: { readonly id: number; readonly name: string };
  readonly right?: {
    readonly id: number;
    readonly name: string;
    readonly wheel: boolean;
    readonly admin: boolean;
    readonly accesses: readonly {
      readonly capability_id: number;
      /** Ids of the states in which it holds; null: in any. */ readonly states: readonly number[] | null;
    }[];
  };
}

export interface Health {
  readonly status: string;
  readonly version: string;
  readonly station: { readonly id: string; readonly name: string };
  /** IANA name: times without an offset are of its clock. */
  readonly zone: string;
  readonly territory: { readonly name: string; readonly bounds: Bounds; readonly importedAt: number } | null;
}

/** degrees: west, south, east, north */
export type Bounds = readonly [number, number, number, number];

export interface FirstRun {
  readonly needed: boolean;
}

export interface Place {
  readonly pkid: number;
  readonly label: string;
  readonly formattedLabel: string;
  readonly zoom: number;
  readonly point: { readonly lon: number; readonly lat: number };
}

export interface PlaceGroup {
  readonly groupName: string;
  readonly items: readonly Place[];
}

export interface ReasonCode {
  readonly code: string;
  readonly [value: string]: string | number | undefined;
}

/** A vehicle as the station ranks it for a place. */
export interface Recommendation {
  readonly carId: number;
  readonly carName: string;
  readonly carNo: string;
  readonly glonassId: number;
  readonly rank: number;
  /** seconds by road; null when no road time is to be had */
  readonly time: number | null;
  /** metres */
  readonly distance: number | null;
  readonly available: boolean;
  readonly reasons: readonly string[];
  readonly reasonCodes?: readonly ReasonCode[];
  readonly unitStatus?: number | null;
}

export interface RouteAnswer {
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

export interface HistoryLine {
  readonly date: string;
  readonly user_id: string | number | null;
  readonly fio: string | null;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly station?: string | number;
  readonly note?: string;
}

export interface CommentLine {
  readonly id: string;
  readonly reference_id: string | null;
  readonly level: string;
  readonly user_id: string;
  readonly date: string;
  readonly fio: string;
  readonly comment: string;
  readonly update_text: string;
}

export interface CarItem {
  readonly id: number;
  readonly name: string;
  readonly glonassId: number;
  readonly carNo: string;
  readonly groupId: number | null;
  readonly organizationId: number;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly speed: number | null;
  readonly direction: number | null;
  readonly lastUpdate: number | null;
  readonly onService: boolean;
  readonly unitStatus?: number;
  readonly unitStatusSince?: number;
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
}

export interface TerritoryImport {
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly stage: string;
  /** 0 to 1 */
  readonly done: number;
  readonly error: string | null;
}

export interface TerritoryAnswer {
  readonly name?: string;
  readonly bounds?: Bounds;
  readonly importedAt?: number;
  readonly dataTime?: number | null;
  readonly counts?: Readonly<Record<string, number>>;
  readonly size?: number;
  readonly log?: readonly string[];
  /** Vehicle profiles, the usual one first. */
  readonly profiles?: readonly string[];
  /** Files that are no longer what the import wrote. */
  readonly damaged?: readonly string[];
  readonly import?: TerritoryImport | null;
}

/** What happened to a vehicle, or goes on. */
export interface EventItem {
  readonly id: number;
  /** epoch ms */
  readonly dataFrom: number;
  /** epoch ms; null: it goes on. */
  readonly dataTill: number | null;
  /** A number of `EventTypeItem.id`. */
  readonly eventId: number;
  readonly info: string;
  readonly glonassId: number;
  readonly carId: number;
  readonly carName: string;
  readonly lat: number;
  readonly lon: number;
  /** Whether an operator is told, and not only who looks. */
  readonly notifiable: boolean;
  readonly withdrawn?: false;
}

/** One record of EVENT_UPDATES: the event as it is now, or that it is no more. */
export type EventUpdate = EventItem | { readonly id: number; readonly eventId: number; readonly withdrawn: true };

export interface EventTypeItem {
  readonly id: number;
  readonly notifiable: boolean;
}

/** A message in full (A3). */
export interface NewsDetail {
  readonly id: string;
  readonly department_id: string;
  readonly user_id: string;
  readonly title: string;
  readonly text: string;
  readonly news_type_id: string;
  readonly category_id: string | null;
  readonly assigned_status: string;
  readonly assigned_change_date: string;
  readonly confirmed: string;
  readonly confirmed_comment: string | null;
  readonly assigned_to: string | null;
  readonly assigned_to_user: string | null;
  readonly assigned_car_id: string | null;
  readonly restricted: string;
  readonly archive: string;
  readonly notice: string;
  readonly news_date: string;
  readonly update_date: string;
  readonly system_data: string;
  readonly address: string;
  readonly lon: string | null;
  readonly lat: string | null;
  readonly zoom: string | null;
  readonly num_main_photo: string | null;
  readonly custom_fields: string;
}

/** One attachment of a message (A4); a video has no name. */
export interface AttachmentItem {
  readonly id: string;
  readonly num: string;
  readonly name?: string;
  readonly description: string;
  readonly extension: string;
  readonly file_name: string;
  /** bytes */
  readonly size: number;
  readonly type: string;
  readonly date: string;
  readonly user_id: string | null;
  /** The upload that it was made of, where this person attached it. */
  readonly upload?: string;
  readonly conversion: 'none' | 'waiting' | 'done' | 'failed' | 'unavailable';
  readonly conversion_note: string;
  /** Names of the other forms, in the same directory. */
  readonly converted: readonly string[];
}

/** GET /cars/:id, as far as the console reads it. */
export interface CarDetail {
  readonly id: number;
  readonly hasPic: boolean;
  readonly onService: boolean;
  readonly info: {
    readonly odometr: number;
    readonly height: number | null;
    readonly gpsCount: number | null;
    readonly glonassCount: number | null;
  };
  readonly carInfo: {
    readonly mark: { readonly name: string } | null;
    readonly model: { readonly name: string } | null;
    readonly kmNextTo: number | null;
  };
  readonly motohours: { readonly stop: number; readonly move: number };
  readonly tags: readonly { readonly id: number; readonly name: string; readonly color: string }[];
  readonly customFields: Readonly<Record<string, unknown>>;
}

export const SENSOR_TYPES = ['digital', 'ignition', 'analog', 'fuel', 'driver-key', 'failure'] as const;
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
  /** What is to hold later, in the order of time. */
  readonly planned: readonly Omit<SensorItem, 'id' | 'carId' | 'unit' | 'planned'>[];
}

/** One of GET /sensors/:id/values */
export interface SensorValue {
  readonly time: number;
  readonly raw: number;
  readonly value: number;
}

/** One of GET /cars/:id/sensors/values: null where nothing was said lately. */
export interface CurrentSensorValue extends Pick<SensorItem, 'id' | 'name' | 'type' | 'unit'> {
  /** epoch ms */
  readonly time: number | null;
  readonly raw: number | null;
  readonly value: number | null;
}

type BothLanguages = { readonly en: string; readonly ru: string };
/** GET /alarms, as far as the console reads it: those that are over are not in the replica. */
export interface AlarmItem {
  readonly id: number;
  readonly priority: 1 | 2 | 3 | 4;
  readonly state: 'unacknowledged' | 'acknowledged' | 'shelved' | 'cleared';
  readonly since: number;
  readonly raisedAt: number;
  readonly goneAt: number | null;
  readonly clearedAt: number | null;
  readonly carName: string;
  readonly name: BothLanguages;
  readonly acknowledgedBy: { readonly id: number; readonly name: string } | null;
  readonly acknowledgedAt: number | null;
  readonly comment: string;
}

/** GET /alarms/stats; times in ms. */
export interface AlarmRateAnswer {
  readonly raised: number;
  readonly operators: readonly {
    readonly id: number;
    readonly name: string;
    readonly acknowledged: number;
    readonly meanAnswer: number;
  }[];
  readonly per10Minutes: number;
  readonly mostIn10Minutes: number;
  readonly floods: readonly { readonly from: number; readonly till: number; readonly count: number }[];
  readonly floodShare: number;
  readonly standing: number;
  readonly standingShare: number;
  readonly byPriority: Readonly<Record<1 | 2 | 3 | 4, number>>;
  readonly byRule: readonly { readonly rule: string; readonly name: BothLanguages; readonly count: number }[];
}
