import type { LinkItem, LinkLimits, LinkItemTracks } from '../answers.ts';

export const TRACKS_CHOICES = ['none', 'last', 'days', 'all'] as const;

/** The limits of a link as a form holds them. */
export interface LimitsDraft {
  organizations: readonly number[];
  tracks: (typeof TRACKS_CHOICES)[number];
  days: string;
  readOnly: boolean;
}

export const MAX_DAYS = 3650;

/** Of a link, or those of a new one. */
export function limitsDraft(link?: Pick<LinkItem, 'organizations' | 'tracks' | 'readOnly'>): LimitsDraft {
  const tracks = link?.tracks ?? 'last';
  return {
    organizations: link?.organizations ?? [],
    tracks: typeof tracks === 'object' ? 'days' : tracks,
    days: typeof tracks === 'object' ? String(tracks.days) : '7',
    readOnly: link?.readOnly ?? false,
  };
}

export function daysAreWrong({ tracks, days }: LimitsDraft): boolean {
  return tracks === 'days' && !(/^\d{1,4}$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= MAX_DAYS);
}

/** For the interface; undefined: a field is wrong. */
export function limitsOf(draft: LimitsDraft): LinkLimits | undefined {
  if (daysAreWrong(draft)) return undefined;
  const tracks: LinkItemTracks = draft.tracks === 'days' ? { days: Number(draft.days) } : draft.tracks;
  return {
    organizations: draft.organizations.length === 0 ? null : draft.organizations,
    tracks,
    readOnly: draft.readOnly,
  };
}
