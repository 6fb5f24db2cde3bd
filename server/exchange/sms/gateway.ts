/** A text on its way to a gateway. */
export interface OutgoingText {
  /** Known to no other text, and the same in every attempt. */
  readonly publicId: string;
  readonly number: string;
  readonly text: string;
  readonly attempts: number;
  /** The gateway's ids of the parts that it took in earlier attempts, in their order. */
  readonly taken: readonly string[];
  /** Called with the gateway's id of each part that it takes, in order. Resolves when this is on disk. */
  takenPart(gatewayId: string): Promise<void>;
}

export type HandOver =
  | { readonly kind: 'taken' }
  /** It will not be taken in any attempt. */
  | { readonly kind: 'refused'; readonly error: string }
  | {
      readonly kind: 'failed';
      readonly error: string;
      /** ms for which the gateway wants no text at all. */
      readonly pause: number;
    };

/** A gateway's report of a text that it took. */
export interface DeliveryReport {
  readonly gatewayId: string;
  readonly state: 'delivered' | 'failed';
  readonly error: string;
}

/** A received text, or a part of one. */
export interface IncomingText {
  readonly number: string;
  readonly text: string;
  /** The same when the gateway sends the text again; empty: it says nothing of this. */
  readonly gatewayId: string;
  readonly part?: { readonly reference: number; readonly index: number; readonly count: number } | undefined;
}

/** Called by a gateway that keeps a connection. Both resolve when it is on disk. */
export interface GatewayEvents {
  received(text: IncomingText): Promise<unknown>;
  reported(report: DeliveryReport): Promise<unknown>;
}

/** Hands texts to the gateway that delivers them. */
export interface SmsGateway {
  /** Texts that it may have in hand at once. */
  readonly places: number;
  /** Parts in which it hands a text over: each counts for the rate. */
  parts(text: string): number;
  handOver(text: OutgoingText): Promise<HandOver>;
  /** Why it cannot be reached now; empty: nothing is known against it. */
  readonly problem: string;
  close(): Promise<void>;
}
