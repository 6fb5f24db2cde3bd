import { WebSocket } from 'ws';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';

export const POLICY_VIOLATION = 1008;
const MESSAGE_TOO_BIG = 1009;

export const CLOSE_REASONS = {
  tooLong: `A message has at most ${LIVE_LIMITS.longestMessage / 1024} kB.`,
  tooMany: `At most ${LIVE_LIMITS.messagesPerSecond} messages a second.`,
  tooManyFollowed: `At most ${LIVE_LIMITS.followed} vehicles can be followed.`,
  tooManyFromAddress: `An address has at most ${LIVE_LIMITS.socketsOfAddress} connections.`,
  tooManySockets: `A user has at most ${LIVE_LIMITS.sockets} connections.`,
} as const;

/**
 * Closes on a too long message with 1008 and a reason, like our other limits. The library sends 1009 without
 * a reason.
 */
export class LimitedSocket extends WebSocket {
  override close(code?: number, data?: string | Buffer): void {
    if (code === MESSAGE_TOO_BIG) super.close(POLICY_VIOLATION, CLOSE_REASONS.tooLong);
    else super.close(code, data);
  }
}
