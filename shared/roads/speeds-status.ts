/** The state of learned speeds, as `GET /speeds` answers. */
export interface SpeedsStatus {
  /** The router uses learned speeds. */
  readonly on: boolean;
  /** The user who set this, and the time; null: nobody. */
  readonly switchedBy: number | null;
  readonly switchedAt: number | null;
  readonly zone: string;
  /** Current hour of the week in that zone: 0 is Monday from midnight to one. */
  readonly hour: number;
  /** Directed roads with learned speeds, and those that the router uses now. */
  readonly roads: number;
  readonly roadsInUse: number;
  readonly passages: number;
  /** Of the passages, epoch ms. */
  readonly from: number | null;
  readonly till: number | null;
  /** Vehicles whose tracks are being processed or waiting; excludes tracks of the last minute. */
  readonly waiting: number;
  readonly enough: { readonly passages: number; readonly days: number };
}
