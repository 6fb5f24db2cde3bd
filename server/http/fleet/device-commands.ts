import { z } from 'zod';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import {
  COMMAND_FAILURES,
  COMMAND_STATES,
  type DeviceCommand,
  type DeviceCommands,
} from '../../tracking/devices/index.ts';
import { bodyInt, filledUpTo, instant, pathId } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const LONGEST_COMMAND = 1_000;
const [HOUR, DAY, WEEK] = [3_600, 86_400, 604_800];

const CommandAnswer = z
  .object({
    id: z.int(),
    text: z.string(),
    userId: z.int(),
    user: z.string().meta({ description: 'Name of who sent it.' }),
    createdAt: instant,
    expiresAt: instant,
    state: z.enum(COMMAND_STATES),
    failure: z.enum(COMMAND_FAILURES).nullable(),
    protocol: z.string().meta({ description: 'How it was sent; empty: it was not.' }),
    sentAt: instant.nullable(),
    endedAt: instant.nullable(),
    answer: z.string(),
    problem: z.string().meta({ description: 'Why Traccar takes no commands now; empty: nothing is known against it.' }),
  })
  .meta({ id: 'DeviceCommand' });

const Body = z.object({
  text: filledUpTo(LONGEST_COMMAND).refine(
    (text) => !/\p{Cc}/u.test(text),
    fieldRule('field.type', { expected: 'a text of one line' }),
  ),
  keepFor: bodyInt(60, WEEK)
    .optional()
    .meta({ description: `Seconds for which it waits for the device. Default: ${DAY}.`, examples: [HOUR] }),
});
const params = z.object({ id: pathId });
const inStation = { family: 'station', access: 'user', group: 'Commands to trackers' } as const;

/** Commands to the devices of vehicles. */
export function deviceCommandRoutes(commands: DeviceCommands, nameOfUser: (id: number) => string): DeclaredRoute[] {
  const present = ({ vehicleId: _, ...command }: DeviceCommand): z.input<typeof CommandAnswer> => ({
    ...command,
    user: nameOfUser(command.userId),
  });
  return [
    route({
      ...inStation,
      method: 'GET',
      path: '/cars/:id/commands',
      summary: 'Commands to the tracker of a vehicle',
      description: 'Newest first. For administrators and users with the capability `device-commands`.',
      params,
      answer: z.array(CommandAnswer),
      run: ({ caller, params }) => commands.list(caller, params.id).map(present),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/cars/:id/commands',
      summary: 'Send a command to the tracker of a vehicle',
      description:
        'Answered when it is stored. It waits until the tracker is connected (`queued`), is sent once, and ends with the tracker’s answer. `failed`: the tracker refused it, did not answer within 3 min, or the connection ended before. Teltonika over TCP (codec 12) and Wialon IPS over TCP (`#M#`). If the positions come from Traccar, it goes there: `relayed`: Traccar keeps it until the tracker is connected; `handed`: Traccar sent it, and no answer came within 3 min; `declined`, `unknown`: Traccar did not take it, or does not know the tracker.',
      params,
      body: Body,
      answer: CommandAnswer,
      run: async ({ caller, params, body }) =>
        present(await commands.create(caller, params.id, { text: body.text, keptFor: (body.keepFor ?? DAY) * 1000 })),
    }),
    route({
      ...inStation,
      method: 'DELETE',
      path: '/cars/:id/commands/:commandId',
      summary: 'Cancel a command that has not been sent',
      params: z.object({ id: pathId, commandId: pathId }),
      answer: CommandAnswer,
      run: async ({ caller, params }) => present(await commands.cancel(caller, params.id, params.commandId)),
    }),
  ];
}
