export const RESPONSE_STAGES = ['sent', 'response', 'acknowledged', 'enRoute', 'onScene', 'clear'] as const;
export type ResponseStageName = (typeof RESPONSE_STAGES)[number];

/** Spans are seconds. */
export interface StageFigures {
  readonly stage: ResponseStageName;
  readonly count: number;
  readonly p50: number | null;
  readonly p80: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly kept: number;
  readonly missed: number;
}
export interface PriorityFigures {
  readonly priority: number;
  readonly messages: number;
  readonly unsent: number;
  readonly stages: readonly StageFigures[];
}

/** GET /statistics/response-times */
export interface ResponseFigures {
  readonly priorities: readonly PriorityFigures[];
  readonly before: readonly PriorityFigures[];
  readonly hours: readonly (readonly number[])[];
  readonly types: readonly { readonly typeId: number; readonly messages: number }[];
  readonly departments: readonly { readonly departmentId: number; readonly messages: number }[];
  readonly places: readonly { readonly lat: number; readonly lon: number; readonly messages: number }[];
  readonly units: readonly {
    readonly carId: number;
    readonly runs: number;
    readonly busy: number;
    readonly share: number;
  }[];
}

/** GET /statistics/response-times/messages */
export interface FigureTasks {
  readonly rows: readonly { readonly newsId: number; readonly title: string; readonly date: number }[];
  readonly more: boolean;
}
