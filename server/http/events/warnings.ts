import { z } from 'zod';
import {
  ROAD_EVENTS,
  SEVERITIES,
  type ReadWarning,
  type Warning,
  type Warnings,
} from '../../exchange/warnings/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyNumber, pathId, queryFlag } from '../request/fields.ts';

const WarningWords = z.object({
  language: z.string().meta({ description: 'As the publisher writes it; empty: not said.' }),
  event: z.string(),
  headline: z.string(),
  description: z.string(),
  instruction: z.string(),
  area: z.string(),
});

/** The parts of a warning that its publisher wrote. */
export const readWarningFields = {
  sender: z.string(),
  severity: z.enum(SEVERITIES),
  road: z
    .enum(ROAD_EVENTS)
    .nullable()
    .meta({ description: 'The event on the road; null: it is no message of DATEX II.' }),
  from: z.int(),
  till: z.int().nullable().meta({ description: 'Exclusive; null: as long as the feed lists it.' }),
  partial: z.boolean().meta({ description: 'It holds at certain hours or days only; its text says which.' }),
  texts: z.array(WarningWords).meta({ description: 'One for each language.' }),
  codes: z.array(z.string()).meta({ description: 'Codes of its areas, such as `EMMA_ID=DE123`.' }),
  geometry: z
    .looseObject({ type: z.string() })
    .nullable()
    .meta({ description: 'GeoJSON; null: it names its area only.' }),
  link: z.string(),
};

const WarningAnswer = z
  .object({
    id: z.int(),
    feedId: z.int(),
    ...readWarningFields,
    sentAt: z.int(),
    seenAt: z.int().meta({ description: 'When the station first saw it.' }),
    endedAt: z.int().nullable().meta({ description: 'When it ended, or was listed no longer.' }),
    proposal: z
      .object({
        factor: z.number().meta({ description: '0: it closes the roads there; else the share of the usual speed.' }),
        state: z.enum(['open', 'accepted', 'declined']),
        closureIds: z.array(z.int()),
        over: z.boolean().meta({ description: 'The closures stand, but the warning has ended.' }),
        changed: z.boolean().meta({ description: 'The closures stand, and the warning says another end.' }),
      })
      .nullable()
      .meta({ description: 'The closure that it proposes; null: none.' }),
  })
  .meta({ id: 'Warning' });

const common = { family: 'station', access: 'user', group: 'Warnings' } as const;
const params = z.object({ id: pathId });
const MOST_ENDED = 200;

/** Warnings and road messages of other authorities, and the closures that they propose. */
export function warningRoutes(warnings: Warnings): DeclaredRoute[] {
  const present = (warning: Warning): z.input<typeof WarningAnswer> => {
    const proposal = warnings.proposal(warning);
    return {
      ...{ id: warning.id, feedId: warning.feedId, ...presentRead(warning) },
      ...{ sentAt: warning.sentAt, seenAt: warning.seenAt, endedAt: warning.endedAt },
      proposal: proposal && {
        ...{ factor: proposal.factor, state: proposal.state, closureIds: [...proposal.closureIds] },
        ...{ over: proposal.isOver, changed: proposal.isChanged },
      },
    };
  };
  return [
    route({
      ...common,
      method: 'GET',
      path: '/warnings',
      summary: 'Warnings and road messages that hold or will hold',
      description:
        'The most severe first. Those that have ended while a closure that was made of them stands come last. With `ended`: the last 200 that ended.',
      query: z.object({ ended: queryFlag.optional() }),
      answer: z.array(WarningAnswer),
      run: ({ query: { ended } }) =>
        (ended ? warnings.ended(MOST_ENDED) : [...warnings.current(), ...warnings.withStandingClosures()]).map(present),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/warnings/:id',
      summary: 'One warning',
      params,
      answer: WarningAnswer,
      run: ({ params: { id } }) => present(warnings.get(id)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/warnings/:id/closures',
      summary: 'Close or slow the roads as a warning says',
      description:
        'Creates its closures, or gives those that it made its present place and time. Takes the rights to closures so drawn. Where a message gives only the ends of a stretch of road, the station finds the road between them.',
      params,
      body: z.object({ factor: bodyNumber(0, 1).optional().meta({ description: 'Absent: as the warning says.' }) }),
      cost: 5,
      answer: WarningAnswer,
      run: async ({ caller, params: { id }, body: { factor } }) => present(await warnings.accept(caller, id, factor)),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/warnings/:id/closures',
      summary: 'Lift the closures of a warning, or decline to make them',
      description: 'It proposes none any more until somebody accepts it.',
      params,
      answer: WarningAnswer,
      run: async ({ caller, params: { id } }) => present(await warnings.decline(caller, id)),
    }),
  ];
}

/** The parts of a warning that its publisher wrote. */
export function presentRead(warning: ReadWarning) {
  const { sender, severity, road, from, until, isPartial, texts, codes, geometry, link } = warning;
  return {
    ...{ sender, severity, road, from, till: until, partial: isPartial, link },
    texts: texts.map((text) => ({ ...text })),
    codes: [...codes],
    geometry: geometry && { ...geometry },
  };
}
