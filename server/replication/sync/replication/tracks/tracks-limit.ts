import type { Link, LinkTracks } from '../../types.ts';

const DAY = 86_400_000;

/** The stricter of the limits of both sides of a link: limits of either side apply in both directions. */
export function tracksOf({ settings, theirSettings }: Pick<Link, 'settings' | 'theirSettings'>): LinkTracks {
  return rank(theirSettings.tracks) < rank(settings.tracks) ? theirSettings.tracks : settings.tracks;
}

/** The time from which a link carries tracks; undefined: it carries none. */
export function tracksSince(link: Pick<Link, 'settings' | 'theirSettings'>, now: number): number | undefined {
  const tracks = tracksOf(link);
  if (tracks === 'none' || tracks === 'last') return undefined;
  return tracks === 'all' ? 0 : now - tracks.days * DAY;
}

function rank(tracks: LinkTracks): number {
  if (typeof tracks === 'object') return tracks.days;
  return { none: -1, last: 0, all: Infinity }[tracks];
}
