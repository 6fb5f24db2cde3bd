import type { LiveMessage, SocketState } from '../socket.ts';
import type { ReplicaName, ReplicaRecords } from '../../replica/schemas.ts';

/** Messages of a window to the hub. */
export type ToHub =
  | { readonly kind: 'send'; readonly command: string; readonly data: unknown }
  | { readonly kind: 'comments'; readonly query: number; readonly taskId: number }
  | { readonly kind: 'comments-end'; readonly query: number }
  /** The window is closed. */
  | { readonly kind: 'leave' }
  /** Nobody is signed in: all windows lose the station. */
  | { readonly kind: 'end' };

/** Messages of the hub to a window. */
export type FromHub =
  | { readonly kind: 'state'; readonly state: SocketState }
  | { readonly kind: 'message'; readonly message: LiveMessage }
  | { readonly kind: 'heard'; readonly at: number }
  /** The replica starts again, or does not exist for now. */
  | { readonly kind: 'replica'; readonly isThere: boolean }
  | {
      readonly kind: 'records';
      readonly name: ReplicaName;
      readonly put: readonly { readonly key: string; readonly id: number }[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'progress'; readonly caughtUp: boolean }
  | { readonly kind: 'comments'; readonly query: number; readonly found: readonly ReplicaRecords['comments'][] }
  | { readonly kind: 'ended' };

/** One end of the line between a window and the hub. */
export interface HubLine<Sent, Received> {
  post(message: Sent): void;
  onMessage(listener: (message: Received) => void): void;
}

export function hubLineOf<Sent, Received>(port: MessagePort): HubLine<Sent, Received> {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.addEventListener('message', ({ data }) => listener(data as Received));
      port.start();
    },
  };
}
