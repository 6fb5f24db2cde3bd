import type { SocketState } from './socket.ts';

interface Light {
  readonly level: 'good' | 'warn' | 'lost';
  readonly reason: 'current' | 'catchingUp' | 'connecting' | 'quiet' | 'cut';
  /** seconds since the station was last heard; undefined: never */
  readonly age: number | undefined;
}

/**
 * Heard of within this time, a line counts as alive: the socket asks after four seconds of silence and waits
 * ten for the answer.
 */
const QUIET_MS = 8_000;
const DEAD_MS = 15_000;

/**
 * The state of the connection light. Green only if the socket is open, the station was heard recently, and
 * all announced data has arrived, positions too; red if the current state cannot be known.
 */
export function statusLight(line: {
  state: SocketState;
  caughtUp: boolean;
  positionsIn: boolean;
  lastHeard: number;
  now: number;
}): Light {
  const silent = line.now - line.lastHeard;
  const age = line.lastHeard === 0 ? undefined : Math.max(0, Math.floor(silent / 1000));
  if (line.state === 'lost' || silent > DEAD_MS)
    return {
      level: line.lastHeard === 0 && line.state !== 'lost' ? 'warn' : 'lost',
      reason: line.lastHeard === 0 && line.state !== 'lost' ? 'connecting' : 'cut',
      age,
    };
  if (line.state === 'connecting') return { level: 'warn', reason: 'connecting', age };
  if (silent > QUIET_MS) return { level: 'warn', reason: 'quiet', age };
  return line.caughtUp && line.positionsIn
    ? { level: 'good', reason: 'current', age }
    : { level: 'warn', reason: 'catchingUp', age };
}
