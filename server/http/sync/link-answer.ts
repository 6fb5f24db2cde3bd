import { z } from 'zod';
import { linkWire, waitingKinds, WAITING_KINDS, type Links, type LiveLink } from '../../replication/sync/index.ts';
import { Refused } from '../app/common-answers.ts';
import { instant } from '../request/fields.ts';

export const organizations = z
  .array(z.int().min(0))
  .max(10_000)
  .nullable()
  .meta({ description: 'Ids of organisations; null or [] is all' });

export const StationAnswer = z.object({ id: z.string(), name: z.string(), number: z.int() });
export const LinkStates = z.enum(['synced', 'behind', 'unreachable', 'paused', 'refused']);

export const Waiting = z
  .array(
    z.object({
      kind: z.enum(WAITING_KINDS),
      in: z.int().meta({ description: 'Records that wait at other stations for this one, as they told last' }),
      out: z.int().meta({ description: 'Records that wait here' }),
    }),
  )
  .meta({
    description:
      'Records that wait, by kind, without kinds of which nothing waits. `tasks` with comments, history and attachments; `vehicles` with the fleet; `directories` with closures and zones; `events` with alarms',
  });

export const LinkAnswer = z
  .object({
    id: z.int(),
    station: StationAnswer,
    address: z.string().nullable().meta({ description: 'Where this station dials it; null: it cannot be reached' }),
    state: LinkStates,
    waitingIn: z.int(),
    waitingOut: z.int(),
    kinds: Waiting,
    tracksIn: z.int().meta({ description: 'Positions of tracks that wait at the other station for this one' }),
    tracksOut: z.int().meta({ description: 'Positions of tracks that wait here for the other station' }),
    pendingFiles: z.int().meta({ description: 'Files of attachments whose bytes are on their way here' }),
    pendingFilesThere: z.int().meta({
      description: 'Files of attachments whose bytes the other station waits for, as it told last',
    }),
    since: instant.meta({ description: 'Since when the state is what it is' }),
    lastContact: instant.nullable(),
    lastError: z.string().nullable().meta({ description: 'Why the link does not work, as a sentence' }),
    lastRefusal: Refused.nullable().meta({ description: 'The same for programs, where it is known' }),
    paused: z.boolean(),
    readOnly: z.boolean(),
    organizations,
    tracks: linkWire.TracksField,
    theirTracks: linkWire.TracksField.meta({
      description: 'What the other side lets the link carry of tracks: the lesser of both holds',
    }),
    standby: z.boolean().meta({ description: 'This station is a standby of the other one' }),
    leadership: z.enum(['peer', 'follows', 'followed', 'promoted', 'replaced']).meta({
      description:
        'Who leads. `peer`: both. `follows`: the other station; this one is its standby. `followed`: this station; the other one is its standby. `promoted`: this station was promoted in place of the other one. `replaced`: the other station was promoted in place of this one. After a promotion both lead until one follows or somebody settles it',
    }),
    promotedAt: instant.nullable().meta({ description: 'When one of the two was promoted, while it is not settled' }),
    digest: z.object({ mine: z.string(), theirs: z.string() }).nullable(),
    dialledBy: z.enum(['us', 'them']),
    linkedWith: z
      .array(StationAnswer)
      .meta({ description: 'Stations with which it has links itself, besides this one, as it told last' }),
    fingerprint: z.string().nullable().meta({ description: 'SHA-256 of its certificate; null: it has none' }),
  })
  .meta({ id: 'Link' });

/** Links in the form of the interface. */
export function linkPresenter(links: Links, now: () => number): (link: LiveLink) => z.input<typeof LinkAnswer> {
  return (link) => {
    const { row, progress, settings } = link;
    return {
      id: link.id,
      station: { ...link.station },
      address: row.address,
      state: link.state(now()),
      waitingIn: progress.waitingIn,
      waitingOut: progress.waitingOut,
      kinds: waitingKinds([link]),
      tracksIn: progress.tracksIn,
      tracksOut: progress.tracksOut,
      pendingFiles: progress.pendingFiles,
      pendingFilesThere: progress.pendingFilesThere,
      since: link.since(now()),
      lastContact: (link.isConnected ? now() : link.lastContact) || null,
      lastError: link.lastError ?? null,
      lastRefusal: link.lastRefusal ?? null,
      paused: settings.paused,
      readOnly: settings.readOnly,
      organizations: settings.organizations && [...settings.organizations],
      tracks: settings.tracks,
      theirTracks: link.theirSettings.tracks,
      standby: settings.standby,
      leadership: link.leadership,
      promotedAt: row.leadership.promotedAt || row.leadership.replacedAt || null,
      digest: progress.digest ?? null,
      dialledBy: link.dialledBy,
      fingerprint: row.fingerprint || null,
      linkedWith: links.neighbours(link).map((station) => ({ ...station })),
    };
  };
}
