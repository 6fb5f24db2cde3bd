import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { LONGEST, LONGEST_MESSAGE, MESSAGE_MARKS, type CrewCaller, type Crews } from '../../dispatch/crews/index.ts';
import type { Files, AttachmentKindName } from '../../dispatch/files/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { OwnPlaces } from '../../dispatch/places/index.ts';
import type { MapTiles } from '../../geo/map/index.ts';
import type { Planner } from '../../geo/routing/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { senderAt, type Telemetry } from '../../tracking/telemetry/index.ts';
import { CREW_COOKIE, writeCookie } from '../app/cookies.ts';
import { clientAddress } from '../app/client.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { scaled } from '../files/files.ts';
import { requireBytes } from '../files/require-bytes.ts';
import { serveFile } from '../files/serve-file.ts';
import {
  bodyId,
  bodyNumber,
  filledUpTo,
  pathId,
  queryFlag,
  queryId,
  queryInt,
  queryLat,
  queryLon,
  queryText,
  textUpTo,
} from '../request/fields.ts';
import type { Request, Response } from 'express';
import { CrewState, presentCrewState } from './crew-state.ts';

interface CrewRooms {
  readonly crews: Crews;
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly places: OwnPlaces;
  readonly files: Files;
  readonly telemetry: Telemetry;
  readonly planner: Planner;
  readonly closures: { find(id: number): RoadClosure | undefined };
  readonly map: MapTiles;
  now(): number;
}

/** ms that a question for news of the state waits for some. */
const PATIENCE = 25_000;
/** ms; older actions stayed on a telephone for too long. */
const OLDEST = 7 * 24 * 3_600_000;
const MOST_FIXES = 500;
/** Pixels to which a photo is scaled for a telephone. */
const SMALL = 900;

const key = z
  .string()
  .regex(/^[\w-]{8,80}$/)
  .meta({ description: 'The same for every try to send this.' });
const age = z.int().min(0).max(OLDEST).meta({ description: 'ms since it was done' });
const status = z.int().min(0).max(9);
const Action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status }),
  z.object({ kind: z.literal('accept'), taskId: bodyId }),
  z.object({ kind: z.literal('giveBack'), taskId: bodyId, reason: filledUpTo(500) }),
  z.object({ kind: z.literal('say'), text: filledUpTo(LONGEST_MESSAGE) }),
  z.object({ kind: z.literal('receipt'), mark: z.enum(MESSAGE_MARKS), ids: z.array(bodyId).min(1).max(200) }),
  z.object({ kind: z.literal('comment'), taskId: bodyId, text: filledUpTo(5_000) }),
]);
const Done = z.object({ repeated: z.boolean().meta({ description: 'It was done before.' }) });

const CrewWay = z
  .object({
    time: z.number().meta({ description: 'seconds' }),
    distance: z.number().meta({ description: 'metres' }),
    geometry: z.array(z.tuple([z.number(), z.number()])).meta({ description: '[lat, lon]' }),
    steps: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        distance: z.number(),
        time: z.number(),
        position: z.int(),
        compass: z.string(),
      }),
    ),
    closures: z.array(z.object({ id: z.int(), reason: z.string() })),
  })
  .meta({ id: 'CrewWay' });

const KINDS: readonly AttachmentKindName[] = ['photo', 'video', 'sound'];
const inCrew = { family: 'station', access: 'crew', group: 'Crews' } as const;

/** Paths for the telephones of crews. */
export function crewRoutes(rooms: CrewRooms): DeclaredRoute[] {
  const { crews, tasks, fleet, files, telemetry, planner, closures, now } = rooms;
  return [
    route({
      ...inCrew,
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      method: 'POST',
      path: '/crew/sign-in',
      summary: 'Sign in as the crew of a vehicle',
      body: z.object({ code: textUpTo(40) }),
      answer: z.object({ carName: z.string() }),
      description: 'With a code of `POST /crews/codes`. Sets the cookie of the telephone.',
      run: async ({ body, request, response }) => {
        const from = { address: clientAddress(request), device: request.headers['user-agent'] ?? '' };
        const { token, vehicle } = await crews.signIn(body.code, from);
        setCrewCookie(request, response, token);
        return { carName: vehicle.name };
      },
    }),
    route({
      ...inCrew,
      method: 'POST',
      path: '/crew/sign-out',
      summary: 'End the session of this telephone',
      answer: 'nothing',
      run: async ({ crew, request, response }) => {
        await crews.signOut(crew);
        setCrewCookie(request, response, undefined);
      },
    }),
    route({
      ...inCrew,
      method: 'GET',
      path: '/crew/state',
      summary: 'The vehicle, its tasks and its status',
      query: z.object({ known: queryText.optional() }),
      answer: CrewState,
      description: `With \`known\`, the \`version\` of the last answer, it waits up to ${PATIENCE / 1000} s for another one.`,
      run: async ({ crew, query, response }) => {
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        const end = performance.now() + PATIENCE;
        for (;;) {
          if (!crews.isOpen(crew)) throw new Refusal('crews.signInRequired');
          const state = presentCrewState({ ...crew, vehicle: fleet.get(crew.vehicle.id) ?? crew.vehicle }, rooms);
          const left = end - performance.now();
          if (state.version !== query.known || left <= 0 || gone.signal.aborted || crews.released) return state;
          await crews.nextChange(crew, left, gone.signal);
        }
      },
    }),
    route({
      ...inCrew,
      method: 'POST',
      path: '/crew/actions',
      summary: 'What the crew did',
      body: z.object({ key, age, action: Action }),
      answer: Done,
      description:
        'A status, an acceptance, a return with its reason, a comment, a message to the control room (`say`), or marks of messages (`receipt`). Each `key` is done once, so that a telephone may send again what got no answer.',
      run: async ({ crew, body }) => ({ repeated: !(await crews.act(crew, body)) }),
    }),
    route({
      ...inCrew,
      method: 'POST',
      path: '/crew/files',
      summary: 'Add a photo, a voice note or another file to a task',
      query: z.object({ key, age: queryInt(0, OLDEST), taskId: queryId, name: textUpTo(200) }),
      upload: { type: 'application/octet-stream' },
      answer: Done,
      cost: 2,
      run: async ({ crew, query, request }) => {
        const { taskId } = query;
        if (crews.isDone(crew, query.key)) {
          request.resume();
          return { repeated: true };
        }
        tasks.crews.require(crew.vehicle, taskId, now() - query.age);
        const kept = await files.keep(request, -crew.vehicle.id);
        try {
          const upload = await files.register(kept, { name: query.name, userId: -crew.vehicle.id });
          const kind = KINDS.find((one) => one === upload.family) ?? 'file';
          const action = { kind: 'attach', taskId, order: { kind, uuid: upload.uuid } } as const;
          return { repeated: !(await crews.act(crew, { ...query, action })) };
        } finally {
          files.drop(kept);
        }
      },
    }),
    route({
      ...inCrew,
      method: 'POST',
      path: '/crew/positions',
      summary: 'Positions of the telephone',
      body: z.object({
        key,
        fixes: z
          .array(
            z.object({
              age,
              lat: bodyNumber(-90, 90),
              lon: bodyNumber(-180, 180),
              speed: bodyNumber(0, 500).nullish().meta({ description: 'km/h' }),
              direction: bodyNumber(0, 360).nullish(),
            }),
          )
          .min(1)
          .max(MOST_FIXES),
      }),
      answer: 'nothing',
      description: 'They count as those of the vehicle. 409 while a tracker of the vehicle reports.',
      run: async ({ crew, body: { key, fixes }, request }) => {
        const { vehicle } = crew;
        const store = (times: readonly number[]) =>
          telemetry.ingest(
            fixes.map(({ lat, lon, speed, direction }, index) => ({
              imei: `crew-${vehicle.id}`,
              time: times[index]!,
              lat,
              lon,
              ...(typeof speed === 'number' && { speed }),
              ...(typeof direction === 'number' && { direction }),
            })),
            'crew',
            () => vehicle,
            senderAt(clientAddress(request)),
          );
        await crews.sendFixes(
          crew,
          key,
          fixes.map(({ age }) => age),
          store,
        );
      },
    }),
    route({
      ...inCrew,
      method: 'GET',
      path: '/crew/tasks/:taskId/files/:fileId',
      summary: 'A file of a task',
      params: z.object({ taskId: pathId, fileId: pathId }),
      query: z.object({ small: queryFlag.optional() }),
      answer: { type: 'application/octet-stream' },
      description: '`small`: a photo in the size of a telephone.',
      run: async ({ crew, params, query, request, response }) => {
        const task = tasks.crews.require(crew.vehicle, params.taskId, now());
        const file = tasks.crews.attachmentsOf(task).find(({ id }) => id === params.fileId);
        if (!file) throw new Refusal('crews.noFile', { id: task.id, file: params.fileId });
        requireBytes(files, file.sha256, file.name);
        if (query.small && file.kind === 'photo') {
          const box = { width: SMALL, height: SMALL, fill: false };
          return serveFile(request, response, await scaled(files, file.sha256, file.name, box));
        }
        return serveFile(request, response, {
          tag: file.sha256,
          size: files.blobs.size(file.sha256),
          type: file.type,
          name: file.name,
          read: (range) => files.blobs.read(file.sha256, range),
        });
      },
    }),
    route({
      ...inCrew,
      method: 'GET',
      path: '/crew/way',
      summary: 'The way to a task',
      query: z.object({ taskId: queryId, lat: queryLat.optional(), lon: queryLon.optional() }),
      answer: CrewWay.nullable(),
      cost: 1,
      description:
        'From `lat` and `lon`, else from where the vehicle was seen last, with the closures in force; null: there is none.',
      run: async ({ crew, query }) => {
        const { point, id } = tasks.crews.require(crew.vehicle, query.taskId, now());
        if (!point) throw new Refusal('crews.noPlace', { id });
        const from = placeOf(query) ?? placeOf(seen(fleet, crew.vehicle.id));
        if (!from) throw new Refusal('crews.noPosition', { name: crew.vehicle.name });
        const profile = profileOf(crew, planner);
        const { route: way } = await planner.route({
          points: [from, { lat: point.lat, lon: point.lon }],
          fullGeometry: true,
          ...(profile && { profile }),
        });
        if (!way) return null;
        return {
          time: way.time,
          distance: way.distance,
          geometry: way.geometry,
          steps: way.steps.map(({ code, name, distance, time, position, compass }) => ({
            code,
            name,
            distance,
            time,
            position,
            compass,
          })),
          closures: way.closures.map((id) => ({ id, reason: closures.find(id)?.reason ?? '' })),
        };
      },
    }),
  ];
}

function seen(fleet: Fleet, vehicleId: number): { lat?: number; lon?: number } {
  const state = fleet.states.get(vehicleId);
  return state && state.time > 0 ? state : {};
}

function placeOf({ lat, lon }: { lat?: number | undefined; lon?: number | undefined }) {
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}

function profileOf({ vehicle }: CrewCaller, { profiles }: Planner): string | undefined {
  return profiles.includes(vehicle.profile) ? vehicle.profile : undefined;
}

function setCrewCookie(request: Request, response: Response, token: string | undefined): void {
  writeCookie(request, response, CREW_COOKIE, token, LONGEST / 1000);
}
