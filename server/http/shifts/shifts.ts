import { z } from 'zod';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { CrewDuty, Pin, Shift } from '../../../shared/records/index.ts';
import { rollOf } from '../../../shared/shifts/on-duty.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Shifts } from '../../dispatch/shifts/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import {
  actingOrganization,
  bodyId,
  filledUpTo,
  instant,
  pathId,
  queryId,
  queryLimit,
  textUpTo,
} from '../request/fields.ts';

interface ShiftRoutesRooms {
  readonly shifts: Shifts;
  readonly accounts: Accounts;
  nameOfUser(id: number): string;
}

const Deed = z
  .object({ at: instant, id: z.int(), name: z.string() })
  .meta({ id: 'Deed', description: 'Who and when.' });
const ShiftAnswer = z
  .object({
    id: z.int(),
    orgId: z.int(),
    name: z.string(),
    everywhere: z.boolean().meta({ description: 'It is one of all organisations.' }),
    begun: Deed,
    ended: Deed.nullable(),
    handover: z.string(),
    accepted: Deed.nullable().meta({ description: 'Who of the next shift took it over.' }),
    rollCall: Deed.nullable().meta({ description: 'The last roll call.' }),
  })
  .meta({ id: 'Shift' });
const DutyAnswer = z
  .object({
    id: z.int(),
    orgId: z.int(),
    name: z.string().meta({ description: 'The position, where it is no vehicle.' }),
    carId: z.int().nullable(),
    driverIds: z.array(z.int()),
    userIds: z.array(z.int()),
    from: instant,
    till: instant.nullable(),
    roll: z
      .enum(['present', 'missing'])
      .nullable()
      .meta({ description: 'What the last roll call of the shift found.' }),
    rollAt: instant.nullable(),
  })
  .meta({ id: 'Duty' });
const PinAnswer = z
  .object({
    id: z.int(),
    orgId: z.int(),
    text: z.string(),
    by: Deed,
    till: instant.nullable(),
    forNext: z.boolean(),
    done: Deed.nullable(),
  })
  .meta({ id: 'PinnedNote' });

const ids = z.array(bodyId).max(50);
const DutyBody = z.object({
  name: textUpTo(100).optional(),
  driverIds: ids.optional(),
  userIds: ids.optional(),
});
const params = z.object({ id: pathId });
const common = { family: 'station', access: 'user', group: 'Shifts' } as const;

/** Shifts, who is on duty, and notes for everybody. */
export function shiftRoutes({ shifts, accounts, nameOfUser }: ShiftRoutesRooms): DeclaredRoute[] {
  const actionBy = ({ at, userId }: Shift['begun']) => ({ at, id: userId, name: nameOfUser(userId) });
  const presentShift = (shift: Shift): z.input<typeof ShiftAnswer> => ({
    id: shift.id,
    orgId: shift.organizationId,
    name: shift.name,
    everywhere: shift.everywhere,
    begun: actionBy(shift.begun),
    ended: shift.ended && actionBy(shift.ended),
    handover: shift.handover,
    accepted: shift.accepted && actionBy(shift.accepted),
    rollCall: shift.rollCall && actionBy(shift.rollCall),
  });
  const presentDuty = (duty: CrewDuty): z.input<typeof DutyAnswer> => {
    const roll = rollOf(duty, shifts.current(duty.organizationId)) ?? null;
    return {
      id: duty.id,
      orgId: duty.organizationId,
      name: duty.name,
      carId: duty.vehicleId || null,
      driverIds: [...duty.driverIds],
      userIds: [...duty.userIds],
      from: duty.from,
      till: duty.until || null,
      roll,
      rollAt: roll && duty.roll!.at,
    };
  };
  const presentPin = (pin: Pin): z.input<typeof PinAnswer> => ({
    id: pin.id,
    orgId: pin.organizationId,
    text: pin.text,
    by: actionBy({ at: pin.at, userId: pin.authorId }),
    till: pin.until,
    forNext: pin.forNext,
    done: pin.done && actionBy(pin.done),
  });
  return [
    route({
      ...common,
      method: 'GET',
      path: '/shifts',
      summary: 'Shifts, the newest first',
      query: z.object({ limit: queryLimit(500) }),
      answer: z.array(ShiftAnswer),
      run: ({ caller, query: { limit = 50 } }) => shifts.list(caller, limit).map(presentShift),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/shifts/current',
      summary: 'The shift that runs, who is on duty, and notes for everybody',
      query: z.object({ orgId: queryId.optional() }),
      answer: z.object({ shift: ShiftAnswer.nullable(), duties: z.array(DutyAnswer), pins: z.array(PinAnswer) }),
      run: ({ caller, query: { orgId } }) => {
        const id = actingOrganization(caller, orgId, accounts);
        const shift = shifts.current(id);
        const own = ({ organizationId }: CrewDuty | Pin) => organizationId === id;
        return {
          shift: shift ? presentShift(shift) : null,
          duties: shifts
            .onDuty(caller)
            .filter((duty) => shift?.everywhere === true || own(duty))
            .map(presentDuty),
          pins: shifts.pins(caller).filter(own).map(presentPin),
        };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/shifts',
      summary: 'Begin a shift',
      description:
        'It begins with every vehicle that the caller sees and that is not in maintenance or out of service, each with its drivers. While a shift runs, recommendations pass over vehicles on which nobody is on duty.',
      body: z.object({ name: filledUpTo(100) }),
      answer: ShiftAnswer,
      run: async ({ caller, body }) => presentShift(await shifts.begin(caller, body.name)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/shifts/:id/end',
      summary: 'End a shift and hand it over',
      description: 'Everybody of it goes off duty. `handover` is for the next shift.',
      params,
      body: z.object({ handover: textUpTo(5_000).optional() }),
      answer: ShiftAnswer,
      run: async ({ caller, params, body }) => presentShift(await shifts.end(caller, params.id, body.handover ?? '')),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/shifts/:id/accept',
      summary: 'Take over what an ended shift left',
      params,
      answer: ShiftAnswer,
      run: async ({ caller, params }) => presentShift(await shifts.accept(caller, params.id)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/shifts/:id/roll-call',
      summary: 'Begin a roll call',
      description: 'Answers of earlier roll calls do not count any more.',
      params,
      answer: ShiftAnswer,
      run: async ({ caller, params }) => presentShift(await shifts.callRoll(caller, params.id)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/duties',
      summary: 'Put people on duty, on a vehicle or at a position',
      body: DutyBody.extend({ carId: bodyId.nullish() }),
      answer: DutyAnswer,
      run: async ({ caller, body: { name = '', carId, driverIds = [], userIds = [] } }) =>
        presentDuty(await shifts.startDuty(caller, { name, vehicleId: carId ?? 0, driverIds, userIds })),
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/duties/:id',
      summary: 'Change who is on duty there',
      params,
      body: DutyBody,
      answer: DutyAnswer,
      description: 'What is not sent stays.',
      run: async ({ caller, params, body }) =>
        presentDuty(await shifts.changeDuty(caller, params.id, definedFields(body))),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/duties/:id/end',
      summary: 'Take a crew off duty',
      params,
      answer: DutyAnswer,
      run: async ({ caller, params }) => presentDuty(await shifts.endDuty(caller, params.id)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/duties/:id/roll',
      summary: 'Answer the roll call for a crew',
      params,
      body: z.object({ present: z.boolean() }),
      answer: DutyAnswer,
      run: async ({ caller, params, body }) => presentDuty(await shifts.answerRoll(caller, params.id, body.present)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/pins',
      summary: 'Pin a note for everybody, or for the next shift',
      body: z.object({ text: filledUpTo(2_000), till: instant.nullish(), forNext: z.boolean().optional() }),
      answer: PinAnswer,
      run: async ({ caller, body: { text, till, forNext = false } }) =>
        presentPin(await shifts.pin(caller, { text, until: till ?? null, forNext })),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/pins/:id/done',
      summary: 'Tick a note off, or take that back',
      params,
      body: z.object({ done: z.boolean() }),
      answer: PinAnswer,
      run: async ({ caller, params, body }) => presentPin(await shifts.tick(caller, params.id, body.done)),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/pins/:id',
      summary: 'Take a note off',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => shifts.takeOff(caller, params.id),
    }),
  ];
}
