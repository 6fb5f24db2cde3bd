/** Which of two linked stations leads, as this one stores it. Times are epoch ms; 0: never. */
export interface LinkLeadership {
  /** This station was promoted in place of the other one, and nobody has decided since who leads. */
  readonly promotedAt: number;
  /** The other station was promoted in place of this one, and nobody has decided since who leads. */
  readonly replacedAt: number;
  /** The latest promotion of the other station that was settled here. */
  readonly settledAt: number;
  /** A new standby has taken its own first records away. */
  readonly isEmptied: boolean;
  /** It had everything once. */
  readonly isFilled: boolean;
  /** When both stations last had the same records. */
  readonly confirmedAt: number;
  /** Records, and files of attachments, that the other station had then and this one had not. */
  readonly waitingIn: number;
  readonly pendingFiles: number;
  /** Positions of tracks, likewise. */
  readonly tracksIn: number;
}

export const NO_LEADERSHIP: LinkLeadership = {
  promotedAt: 0,
  replacedAt: 0,
  settledAt: 0,
  isEmptied: false,
  isFilled: false,
  confirmedAt: 0,
  waitingIn: 0,
  pendingFiles: 0,
  tracksIn: 0,
};

/** Fields that a station sends about its leadership. */
export interface PeerLeadership {
  readonly promotedAt: number;
  readonly settledAt: number;
  /** It is a standby of the station that is theirs. */
  readonly standby: boolean;
}

/** How a link stands, for people. `peer`: neither is the standby of the other. */
export type LeadershipState = 'peer' | 'follows' | 'followed' | 'promoted' | 'replaced';

/** @param standby whether this station follows the other one; @param standbyThere the reverse */
export function leadershipStateOf(standby: boolean, standbyThere: boolean, own: LinkLeadership): LeadershipState {
  if (standby) return 'follows';
  if (standbyThere) return 'followed';
  if (own.promotedAt > 0) return 'promoted';
  return own.replacedAt > 0 ? 'replaced' : 'peer';
}

/** The leadership of this station when it has received that of the other one. */
export function leadershipAfter(own: LinkLeadership, standby: boolean, theirs: PeerLeadership): LinkLeadership {
  const isNewPromotion = theirs.promotedAt > own.settledAt && !standby;
  return {
    ...own,
    replacedAt: isNewPromotion ? theirs.promotedAt : 0,
    settledAt: standby ? Math.max(own.settledAt, theirs.promotedAt) : own.settledAt,
    promotedAt: theirs.standby || theirs.settledAt >= own.promotedAt ? 0 : own.promotedAt,
  };
}

/** Records that a promoted station may lack of the one that it replaces. */
export interface Missing {
  /** When both last had the same records, and were last in contact, in epoch ms; null: never. */
  readonly confirmedAt: number | null;
  readonly lastContact: number | null;
  /** Seconds from the confirmation to now: edits of the other station within them may be missing. */
  readonly seconds: number | null;
  /** Records, files and positions of tracks that are known to be missing. */
  readonly records: number;
  readonly files: number;
  readonly positions: number;
}

export function missingAt(now: number, lastContact: number, leadership: LinkLeadership): Missing {
  const { confirmedAt, waitingIn, pendingFiles, tracksIn } = leadership;
  return {
    confirmedAt: confirmedAt || null,
    lastContact: lastContact || null,
    seconds: confirmedAt === 0 ? null : Math.max(0, Math.round((now - confirmedAt) / 1000)),
    records: waitingIn,
    files: pendingFiles,
    positions: tracksIn,
  };
}
