/** Hands commands over to another server, which has the connections to the devices. */
export interface CommandRelay {
  readonly protocol: string;
  /** Why it takes no commands now; empty: nothing is known against it. */
  readonly problem: string;
  /** Looks a device up by the id under which its positions come. Sends nothing. */
  find(device: string): Promise<ReadyDevice>;
  /** Called when commands that wait may be tried again. */
  onReady(listener: () => void): void;
  close(): void;
}

/** `waits`: the server cannot be asked now. `unknown`: it does not have this device, or does not show it to us. */
export type ReadyDevice =
  { readonly kind: 'ready'; send(text: string): Promise<Handover> } | { readonly kind: 'waits' | 'unknown' };

export type Handover =
  /** The device has it, as far as the server knows. Its answer may come. */
  | { readonly kind: 'sent' }
  /** The server keeps it until the device is connected. */
  | { readonly kind: 'kept'; readonly keptAs: number | undefined }
  /** The server did not take this command, and will not. */
  | { readonly kind: 'declined'; readonly text: string }
  /** Nothing was handed over. */
  | { readonly kind: 'waits' }
  /** It may have been handed over. */
  | { readonly kind: 'unclear'; readonly text: string };

/** A report of the other server about a device, with or without news of a command. */
export interface RelayReport {
  /** The id of the device, which its vehicle has as its IMEI. */
  readonly device: string;
  readonly event?:
    | { readonly kind: 'answered'; readonly text: string }
    /** A command that the server kept has gone to the device. */
    | { readonly kind: 'passedOn'; readonly keptAs: number }
    | undefined;
}
