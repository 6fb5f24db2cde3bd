import { z } from 'zod';
import { SMS_PROBLEMS, SMS_STATES, type CrewMessage, type SmsMark } from '../../../shared/records/index.ts';
import {
  CODE_DIGITS,
  sessionEnd,
  LONGEST_MESSAGE,
  receiptOf,
  type CrewCaller,
  type Crews,
  type MessageOrder,
} from '../../dispatch/crews/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Sms } from '../../exchange/sms/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyId, filledUpTo, instant, pathId, queryId, queryLimit } from '../request/fields.ts';

const Session = z
  .object({
    id: z.int(),
    carId: z.int(),
    carName: z.string(),
    begunAt: instant,
    usedAt: instant,
    endsAt: instant.meta({ description: 'If it is not used again.' }),
    madeBy: z.string().meta({ description: 'Who made its code.' }),
    address: z.string(),
    device: z.string(),
  })
  .meta({ id: 'CrewSession' });

const Receipt = z.object({
  carId: z.int(),
  carName: z.string(),
  deliveredAt: instant.nullable(),
  readAt: instant.nullable(),
  answeredAt: instant.nullable(),
  sms: z
    .object({ state: z.enum(SMS_STATES), problem: z.enum(SMS_PROBLEMS).nullable() })
    .optional()
    .meta({ description: 'How far it has come as a text; absent: it goes as none.' }),
});
const Message = z
  .object({
    id: z.int(),
    at: instant,
    fromCarId: z.int().nullable().meta({ description: 'The vehicle whose crew wrote it; null: the control room did.' }),
    from: z.string(),
    to: z.enum(['control', 'car', 'group', 'all']),
    toId: z.int().nullable(),
    toName: z.string(),
    text: z.string(),
    mustAnswer: z.boolean(),
    readAt: instant.nullable().meta({ description: 'When the control room read what a crew wrote.' }),
    receipts: z.array(Receipt).meta({ description: 'Of each vehicle that it is for.' }),
  })
  .meta({ id: 'CrewMessage' });

const Letter = z.object({
  carId: bodyId.nullish(),
  groupId: bodyId.nullish(),
  text: filledUpTo(LONGEST_MESSAGE),
  mustAnswer: z.boolean().optional(),
  sms: z.boolean().optional().meta({ description: 'Also as a text to the telephones of the crews.' }),
});

const inDesk = { family: 'station', access: 'user', group: 'Crews' } as const;

/** Paths for dispatchers about the telephones of crews. They take the right to change the status of tasks. */
export function crewDeskRoutes(
  crews: Crews,
  sms: Sms,
  fleet: Fleet,
  nameOfUser: (id: number) => string,
): DeclaredRoute[] {
  const presentMessage = (message: CrewMessage) => presentCrewMessage(message, crews, fleet, nameOfUser);
  const present = ({ session, vehicle }: CrewCaller): z.input<typeof Session> => ({
    id: session.id,
    carId: vehicle.id,
    carName: vehicle.name,
    begunAt: session.createdAt,
    usedAt: session.usedAt,
    endsAt: sessionEnd(session),
    madeBy: nameOfUser(session.userId),
    address: session.address,
    device: session.device,
  });
  return [
    route({
      ...inDesk,
      method: 'POST',
      path: '/crews/codes',
      summary: 'Make a code with which a crew signs in',
      body: z.object({ carId: bodyId }),
      answer: z.object({
        code: z.string(),
        expiresAt: instant,
        carName: z.string(),
        path: z.string().meta({ description: 'Of the page that takes the code, for a QR code.' }),
      }),
      description: `${CODE_DIGITS} digits that open one session within ten minutes. The earlier code of the vehicle is void.`,
      run: async ({ caller, body }) => {
        const { code, expiresAt, vehicle } = await crews.makeCode(caller, body.carId);
        return { code, expiresAt, carName: vehicle.name, path: `/crew#code=${code}` };
      },
    }),
    route({
      ...inDesk,
      method: 'GET',
      path: '/crews/sessions',
      summary: 'The telephones of crews that are signed in',
      answer: z.array(Session),
      run: ({ caller }) => crews.list(caller).map(present),
    }),
    route({
      ...inDesk,
      method: 'DELETE',
      path: '/crews/sessions/:id',
      summary: 'End the session of a telephone',
      params: z.object({ id: pathId }),
      answer: 'nothing',
      run: ({ caller, params }) => crews.end(caller, params.id),
    }),
    route({
      ...inDesk,
      method: 'GET',
      path: '/crews/messages',
      summary: 'Messages from and to crews, the newest first',
      query: z.object({ carId: queryId.optional(), limit: queryLimit(500).optional() }),
      answer: z.array(Message),
      run: ({ caller, query: { carId, limit = 100 } }) =>
        crews.messages.list(caller, { vehicleId: carId, limit }).map(presentMessage),
    }),
    route({
      ...inDesk,
      method: 'POST',
      path: '/crews/messages',
      summary: 'Write to a crew, to those of a group, or to all',
      body: Letter,
      answer: Message,
      description:
        'To `carId`, else to the vehicles of `groupId`, else to all of the own organisation; of somebody who sees every organisation to all of those. With `mustAnswer` it stays on the telephone until the crew answers.',
      run: async ({ caller, body: { carId, groupId, text, mustAnswer = false, sms: bySms = false } }) =>
        presentMessage(await sms.send(caller, { to: addressOf(carId, groupId), text, mustAnswer }, bySms)),
    }),
    route({
      ...inDesk,
      method: 'POST',
      path: '/crews/messages/:id/read',
      summary: 'The control room has read what a crew wrote',
      params: z.object({ id: pathId }),
      answer: Message,
      run: async ({ caller, params }) => presentMessage(await crews.messages.read(caller, params.id)),
    }),
  ];
}

function addressOf(carId: number | null | undefined, groupId: number | null | undefined): MessageOrder['to'] {
  if (carId) return { kind: 'vehicle', id: carId };
  return groupId ? { kind: 'group', id: groupId } : { kind: 'all', id: 0 };
}

function presentCrewMessage(
  message: CrewMessage,
  crews: Crews,
  fleet: Fleet,
  nameOfUser: (id: number) => string,
): z.input<typeof Message> {
  const { id, at, vehicleId, userId, to, text, mustAnswer } = message;
  const nameOfVehicle = (vehicle: number) => fleet.known(vehicle)?.name ?? '';
  const orNull = (time: number) => time || null;
  const toName =
    to.kind === 'vehicle'
      ? nameOfVehicle(to.id)
      : to.kind === 'group'
        ? (fleet.groups.mirror.get(to.id)?.name ?? '')
        : '';
  return {
    id,
    at,
    fromCarId: vehicleId || null,
    from: vehicleId ? nameOfVehicle(vehicleId) : nameOfUser(userId),
    to: to.kind === 'vehicle' ? 'car' : to.kind,
    toId: to.id || null,
    toName,
    text,
    mustAnswer,
    readAt: orNull(receiptOf(message, undefined).readAt),
    receipts: crews.messages.addressees(message).map((vehicle) => {
      const { deliveredAt, readAt, answeredAt } = receiptOf(message, vehicle.id);
      return {
        carId: vehicle.id,
        carName: vehicle.name,
        deliveredAt: orNull(deliveredAt),
        readAt: orNull(readAt),
        answeredAt: orNull(answeredAt),
        ...presentMark(message.sms?.[vehicle.id]),
      };
    }),
  };
}

function presentMark(mark: SmsMark | undefined): Pick<z.input<typeof Receipt>, 'sms'> {
  return mark ? { sms: { state: mark.state, problem: mark.problem || null } } : {};
}
