/** Socket limits of one client or one user. Beyond them the connection closes with 1008 and a reason. */
export const LIVE_LIMITS = {
  /** Messages and pings per second from a client, on average. */
  messagesPerSecond: 20,
  /** Messages in one burst. */
  burst: 100,
  /** Bytes of one message. */
  longestMessage: 100 * 1024,
  /** glonassIds that one client follows. */
  followed: 50_000,
  /** Tasks that one client has open at once: one for each of its windows. */
  openTasks: 50,
  /** Connections of one user. */
  sockets: 50,
  /** Connections from one address: a control room behind one router. Not for this machine. */
  socketsOfAddress: 500,
} as const;

/** Ids that fit into one message, of any length. */
const PIECE = 5_000;

export interface FollowMessage {
  readonly command: 'SET_OBSERVABLE_CARS' | 'ADD_OBSERVABLE_CARS';
  readonly data: readonly number[];
}

/**
 * The messages that make a client follow exactly these vehicles, each within the limits. Of too many, the
 * first are followed.
 */
export function followMessages(glonassIds: readonly number[]): FollowMessage[] {
  const followed = glonassIds.slice(0, LIVE_LIMITS.followed);
  const messages: FollowMessage[] = [{ command: 'SET_OBSERVABLE_CARS', data: followed.slice(0, PIECE) }];
  for (let from = PIECE; from < followed.length; from += PIECE)
    messages.push({ command: 'ADD_OBSERVABLE_CARS', data: followed.slice(from, from + PIECE) });
  return messages;
}
