import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { DEFAULT_SETTINGS, linkWire, type Links, type LinkSettings } from '../../replication/sync/index.ts';
import { OK, Ok } from '../app/common-answers.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { instant, pathId } from '../request/fields.ts';
import { LinkAnswer, linkPresenter, organizations } from './link-answer.ts';
import { presentStandby, presentSyncState, StandbyAnswer, SyncStateAnswer } from './sync-state-answer.ts';

const params = z.object({ id: pathId });

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

const common = { family: 'station', access: { scope: 'sync', others: 'superuser' }, group: 'links' } as const;
/** Paths that only stations call. The code, or a signature, stands for a token. */
const between = { family: 'station', access: 'open', group: 'links' } as const;

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

type SentSettings = z.output<typeof Settings> & { readonly standby?: boolean | undefined };

function settingsOf(sent: SentSettings): LinkSettings {
  return { ...DEFAULT_SETTINGS, ...sentOf(sent) };
}

function sentOf({ organizations: ids, ...rest }: SentSettings): Partial<LinkSettings> {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...given, ...(ids !== undefined && { organizations: ids && ids.length > 0 ? [...new Set(ids)] : null }) };
}
