import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import {
  DEFAULT_SETTINGS,
  linkWire,
  waitingKinds,
  WAITING_KINDS,
  type Links,
  type LinkSettings,
  type LiveLink,
  type RegionReport,
  type StandbyState,
  type SyncState,
} from '../../sync/index.ts';
import { OK, Ok, Refused } from '../app/common-answers.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { instant, pathId } from '../request/fields.ts';

const params = z.object({ id: pathId });
const organizations = z
  .array(z.int().min(0))
  .max(10_000)
  .nullable()
  .meta({ description: 'Ids of organisations; null or [] is all' });

const Settings = z.object({
  paused: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  organizations: organizations.optional(),
  tracks: linkWire.TracksField.optional(),
});
const standby = z.boolean().optional().meta({
  description:
    'This station becomes a standby of the other one: it follows it whole and takes no changes. A fresh station when it is paired; a linked one at any time. `false` after a promotion: both stations lead, and this is meant',
});
const address = z
  .string()
  .min(1)
  .max(300)
  .meta({ examples: ['https://192.168.1.20:8443'] });

const Station = z.object({ id: z.string(), name: z.string(), number: z.int() });
const LinkStates = z.enum(['synced', 'behind', 'unreachable', 'paused', 'refused']);

const Waiting = z
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
    station: Station,
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
      .array(Station)
      .meta({ description: 'Stations with which it has links itself, besides this one, as it told last' }),
    fingerprint: z.string().nullable().meta({ description: 'SHA-256 of its certificate; null: it has none' }),
  })
  .meta({ id: 'Link' });

const StandbyAnswer = z
  .object({
    station: Station.meta({ description: 'The station that this one follows' }),
    isConnected: z.boolean(),
    filled: z.number().meta({ description: 'How much of its records is here while this station is filled, 0 to 1' }),
    behind: z
      .int()
      .nullable()
      .meta({ description: 'Seconds since both stations last had the same records; null: they never had' }),
    confirmedAt: instant.nullable().meta({ description: 'When both stations last had the same records' }),
    lastContact: instant.nullable(),
  })
  .meta({ id: 'Standby' });
const Promotion = z
  .object({
    link: LinkAnswer,
    missing: z.object({
      confirmedAt: instant.nullable().meta({ description: 'When both stations last had the same records' }),
      lastContact: instant.nullable(),
      seconds: z
        .int()
        .nullable()
        .meta({ description: 'Since `confirmedAt`: what the other station wrote within them may be missing' }),
      records: z.int().meta({ description: 'Records that are known to be missing' }),
      files: z.int().meta({ description: 'Files of attachments that are known to be missing' }),
      positions: z.int().meta({ description: 'Positions of tracks that are known to be missing' }),
    }),
  })
  .meta({ id: 'Promotion' });

const RegionAnswer = z
  .object({
    name: z.string(),
    state: z.enum(['synced', 'behind', 'away']).meta({
      description:
        '`synced`: the region has every record of this station, this one has all of the region, and all stations that are there have equal digests. `away`: no server of the region answers',
    }),
    waitingIn: z.int().meta({ description: 'Records in the region that are not here' }),
    waitingOut: z.int().meta({ description: 'Records here that are not in the region' }),
    refused: z.int().meta({ description: 'Records of other stations that are not taken in' }),
    problem: z.string().nullable().meta({ description: 'What went wrong last, as a sentence' }),
    stations: z
      .array(
        z.object({
          station: Station,
          isHere: z.boolean().meta({ description: 'It told of itself within the last 10 s' }),
          isEqual: z.boolean().meta({ description: 'It told the digest that this station has now' }),
          lastContact: instant,
        }),
      )
      .meta({ description: 'The other stations, as they told of themselves since the start' }),
  })
  .meta({ id: 'Region' });

export const SyncStateAnswer = z
  .object({
    state: z.enum(['synced', 'behind', 'alone']),
    waiting: z.int().meta({ description: 'Records and files that wait, in both directions of all links' }),
    kinds: Waiting,
    since: instant.meta({ description: 'Since when the state is what it is' }),
    standby: StandbyAnswer.nullable().meta({ description: 'null: this station leads' }),
    rivals: z
      .array(
        z.object({
          station: Station,
          since: instant,
          isPromotedHere: z.boolean().meta({ description: 'This station was promoted in place of that one' }),
        }),
      )
      .meta({ description: 'Stations that lead too, since a promotion that nobody has settled' }),
    behind: z
      .array(z.object({ station: Station, state: LinkStates, waiting: z.int(), since: instant }))
      .meta({ description: 'The stations that do not have the same records, and why' }),
    region: RegionAnswer.nullable().meta({ description: 'null: the station is in no region' }),
    digest: z.string().meta({
      description:
        'Equal at two stations exactly when their replicated records are; empty while it is counted at the first start',
    }),
  })
  .meta({ id: 'SyncState' });

const common = { family: 'station', access: { scope: 'sync', others: 'superuser' }, group: 'links' } as const;
/** Paths that only stations call. The code, or a signature, stands for a token. */
const between = { family: 'station', access: 'open', group: 'links' } as const;

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

/** Links to other stations. */
export function linkRoutes(links: Links, now: () => number): DeclaredRoute[] {
  const present = linkPresenter(links, now);
  return [
    route({
      ...common,
      method: 'GET',
      path: '/links',
      summary: 'Links to other stations',
      answer: z.array(LinkAnswer),
      run: () => links.all().map(present),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/links/codes',
      onStandby: true,
      summary: 'A code that the other station types',
      description: 'Valid for five minutes and three tries. The limits hold for this side of the link.',
      body: Settings.default({}),
      answer: z.object({ code: z.string().meta({ examples: ['K7QM-4TRP'] }), expiresAt: instant }),
      run: ({ body }) => {
        const { code, expiresAt } = links.showCode(settingsOf(body));
        return { code, expiresAt };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/links',
      onStandby: true,
      summary: 'Pair with the station that shows a code',
      description:
        'The limits hold for this side of the link. `ownAddress` is where the other station may reach this one: when not given, the address by which this station reached it; null: it cannot.',
      body: Settings.extend({ address, code: z.string().max(40), ownAddress: address.nullish(), standby }),
      answer: LinkAnswer,
      run: async ({ body: { address: at, code, ownAddress, ...settings } }) =>
        present(await links.pair({ address: at, code, ownAddress, settings: settingsOf(settings) })),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/links/nearby',
      summary: 'Stations on the local network that are not linked',
      description:
        'What they say of themselves: only pairing proves who they are. Empty when `links.discovery` is off, or the station listens on its own machine alone.',
      answer: z.array(
        z.object({
          station: z.object({ id: z.string(), name: z.string(), number: z.int() }),
          address: z.string(),
          fingerprint: z.string(),
        }),
      ),
      run: () =>
        links.nearby().map(({ id, name, number, address: at, fingerprint }) => ({
          station: { id, name, number },
          address: at,
          fingerprint,
        })),
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/links/:id',
      onStandby: true,
      summary: 'Pause or limit a link, or change its address',
      description: 'What is not sent stays.',
      params,
      body: Settings.extend({ address: address.nullish(), standby }),
      answer: LinkAnswer,
      run: async ({ params: { id }, body: { address: at, ...settings } }) =>
        present(await links.change(id, { ...sentOf(settings), ...(at !== undefined && { address: at }) })),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/links/:id',
      onStandby: true,
      summary: 'Cut a link: its key is dead at once',
      params,
      answer: Ok,
      run: async ({ params: { id } }) => {
        await links.cut(id);
        return OK;
      },
    }),
    route({
      ...common,
      access: { scope: 'sync', others: 'user' },
      method: 'GET',
      path: '/sync/state',
      summary: 'Is everything replicated?',
      description:
        '`synced`: every link that is not paused has confirmed equal digests within the last 10 s, and nothing waits. `alone`: there is no link.',
      answer: SyncStateAnswer,
      run: () => presentSyncState(links.state()),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/standby',
      summary: 'How this standby follows',
      description: '404 when this station is no standby.',
      answer: StandbyAnswer,
      run: () => {
        const { standby: state } = links.state();
        if (!state) throw new Refusal('sync.noStandby');
        return presentStandby(state);
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/standby/promotion',
      onStandby: true,
      summary: 'Promote this standby: it leads from now on',
      description:
        '`confirm` is the name of the station that this one replaces. The answer says what may be missing until that station comes back; then both merge.',
      body: z.object({ confirm: z.string().max(200) }),
      answer: Promotion,
      run: async ({ body }) => {
        const { link, missing } = await links.promote(body.confirm);
        return { link: present(link), missing };
      },
    }),
    route({
      ...between,
      method: 'POST',
      path: '/links/challenges',
      onStandby: true,
      summary: 'Between stations: a challenge to sign, for one connection within 30 s',
      answer: linkWire.ChallengeAnswer,
      run: () => ({ challenge: links.challenge() }),
    }),
    route({
      ...between,
      method: 'POST',
      path: '/links/pairings',
      onStandby: true,
      summary: 'Between stations: the first step of a pairing',
      body: linkWire.PairingQuestion,
      answer: linkWire.PairingOffer,
      run: ({ body, request }) => links.beginPairing(body, request),
    }),
    route({
      ...between,
      method: 'POST',
      path: '/links/pairings/proof',
      onStandby: true,
      summary: 'Between stations: the proof that the other one knows the code',
      body: linkWire.PairingProof,
      answer: linkWire.PairingAnswer,
      run: ({ body, request }) => links.finishPairing(body, request),
    }),
  ];
}

export function presentSyncState({
  standby: state,
  rivals,
  behind,
  kinds,
  region,
  ...rest
}: SyncState): z.input<typeof SyncStateAnswer> {
  return {
    ...rest,
    region: region && presentRegion(region, rest.digest),
    kinds: [...kinds],
    behind: behind.map((one) => ({ ...one, station: { ...one.station } })),
    standby: state && presentStandby(state),
    rivals: rivals.map((rival) => ({ ...rival, station: { ...rival.station } })),
  };
}

function presentStandby(state: StandbyState): z.input<typeof StandbyAnswer> {
  return { ...state, station: { ...state.station } };
}

function presentRegion(
  { name, state, waitingIn, waitingOut, refused, problem, members }: RegionReport,
  digest: string,
): z.input<typeof RegionAnswer> {
  return {
    ...{ name, state, waitingIn, waitingOut, refused },
    problem: problem ?? null,
    stations: members.map(({ station, report, isHere, heardAt }) => ({
      station: { ...station },
      isHere,
      isEqual: report.digest === digest,
      lastContact: heardAt,
    })),
  };
}

type SentSettings = z.output<typeof Settings> & { readonly standby?: boolean | undefined };

function settingsOf(sent: SentSettings): LinkSettings {
  return { ...DEFAULT_SETTINGS, ...sentOf(sent) };
}

function sentOf({ organizations: ids, ...rest }: SentSettings): Partial<LinkSettings> {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...given, ...(ids !== undefined && { organizations: ids && ids.length > 0 ? [...new Set(ids)] : null }) };
}
