import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { StandbyState } from '../../replication/sync/index.ts';
import { isHere } from '../app/here.ts';
import { requireAccess } from '../app/authenticate.ts';
import type { Metrics } from '../app/metrics.ts';
import { textUpTo } from '../request/fields.ts';
import { route } from '../app/route.ts';
import { readyRoutes } from './ready.ts';
import type { DeclaredRoute } from '../app/route.ts';

const Health = z.object({
  status: z
    .enum(['ok', 'degraded'])
    .meta({ description: '`degraded`: the station works, but something is wrong that somebody has to look after' }),
  problems: z
    .array(z.object({ code: z.string(), text: z.string() }))
    .optional()
    .meta({ description: 'What is wrong: a code for programs, and a sentence; only where the status is `degraded`' }),
  version: z.string(),
  newerVersion: z.string().nullable().meta({
    description: 'A newer version exists; null: none, or the station does not look for one (`updates.address`)',
  }),
  station: z.object({ id: z.string(), name: z.string() }),
  fingerprint: z
    .string()
    .nullable()
    .meta({ description: 'SHA-256 of the certificate that the station shows; null: it serves no TLS' }),
  standby: z
    .object({
      of: z.string().meta({ description: 'Name of the station that this one follows' }),
      behind: z.int().nullable().meta({ description: 'Seconds; null: it never had everything' }),
      filled: z.number().meta({ description: '0 to 1' }),
    })
    .nullable()
    .meta({ description: 'This station is a standby and takes no changes; null: it leads' }),
  zone: z.string().meta({
    description: 'Time zone of the station, an IANA name: times without an offset are of its clock',
    examples: ['Europe/Berlin'],
  }),
  territory: z.object({ name: z.string(), bounds: z.array(z.number()).length(4), importedAt: z.int() }).nullable(),
});

interface StationStatus {
  readonly version: string;
  newerVersion(): string | null;
  readonly station: { readonly id: string; readonly name: string };
  fingerprint(): string | null;
  acmeAnswer(token: string): string | undefined;
  /** null: it leads. */
  standby(): StandbyState | null;
  /** Problems that need an administrator. */
  problems(): readonly { readonly code: string; readonly text: string }[];
  territory(): { readonly name: string; readonly bounds: readonly number[]; readonly importedAt: number } | undefined;
  /** Whether the records that consoles ask for are here. */
  isFilled(): boolean;
}

/** Bytes below which a disk counts as full: the next write of a database may not fit. */
const FULL = 100_000_000;

/** Says when the disk of a file is full. A disk that cannot be asked is not. */
export function diskProblems(file: string): { code: string; text: string }[] {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    const free = bavail * bsize;
    return free < FULL
      ? [{ code: 'disk.full', text: `The disk of the station is full: ${Math.round(free / 1e6)} MB are left.` }]
      : [];
  } catch {
    return [];
  }
}

/** Health and metrics of the station. */
export function stationRoutes(facts: StationStatus, metrics: Metrics): DeclaredRoute[] {
  return [
    ...readyRoutes(() => facts.isFilled()),
    route({
      method: 'GET',
      path: '/health',
      family: 'station',
      group: 'station',
      access: 'open',
      summary: 'Does the station answer, and what is it?',
      description:
        'An answer means that the station lives. `ok`: it is ready for everything; `degraded`: tasks are dispatched, and something else needs somebody.',
      answer: Health,
      run: () => {
        const territory = facts.territory();
        const problems = [...facts.problems()];
        const standby = facts.standby();
        return {
          status: problems.length === 0 ? ('ok' as const) : ('degraded' as const),
          ...(problems.length > 0 && { problems }),
          version: facts.version,
          newerVersion: facts.newerVersion(),
          station: facts.station,
          fingerprint: facts.fingerprint(),
          standby: standby && { of: standby.station.name, behind: standby.behind, filled: standby.filled },
          zone: ZonedTime.here().zone,
          territory: territory
            ? { name: territory.name, bounds: [...territory.bounds], importedAt: territory.importedAt }
            : null,
        };
      },
    }),
    route({
      method: 'GET',
      path: '/.well-known/acme-challenge/:token',
      family: 'station',
      group: 'station',
      access: 'open',
      summary: 'What the authority that signs the certificate asks for (ACME, RFC 8555)',
      params: z.object({ token: textUpTo(200) }),
      answer: { type: 'text/plain' },
      run: ({ params, request }) => {
        const answer = facts.acmeAnswer(params.token);
        if (answer === undefined) throw new Refusal('request.nothingHere', { path: request.path.slice(0, 200) });
        return answer;
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      family: 'station',
      group: 'station',
      access: 'open',
      summary: 'Numbers for monitoring (Prometheus), from this machine or with an administrator’s token',
      answer: { type: 'text/plain; version=0.0.4; charset=utf-8' },
      run: async ({ caller, request }) => {
        if ((await isHere(request)) === 'no') requireAccess({ access: 'admin', method: 'GET' }, caller);
        return metrics.text();
      },
    }),
  ];
}
