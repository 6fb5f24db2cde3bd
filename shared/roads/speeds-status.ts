/** What a station says of the speeds that it has learned, as `GET /speeds` answers. */
export interface SpeedsStatus {
  /** The router goes by learned speeds. */
  readonly on: boolean;
  /** Who said so, and when; null: nobody has. */
  readonly switchedBy: number | null;
  readonly switchedAt: number | null;
  readonly zone: string;
  /** Hour of the week now, by that zone: 0 is Monday from midnight to one. */
  readonly hour: number;
  /**
   * Roads, each direction for itself, of which something was learned, and those by which the router goes now.
   */
  readonly roads: number;
  readonly roadsInUse: number;
  readonly passages: number;
  /** Of the passages, epoch ms. */
  readonly from: number | null;
  readonly till: number | null;
  /**
   * Vehicles whose tracks are being looked through, or about to be; what came in the last minute does not
   * count.
   */
  readonly waiting: number;
  readonly enough: { readonly passages: number; readonly days: number };
}
