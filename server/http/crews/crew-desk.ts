import { z } from 'zod';
import { CODE_DIGITS, endOf, type CrewCaller, type Crews } from '../../crews/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { bodyId, instant, pathId } from '../request/fields.ts';

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

const inDesk = { family: 'station', access: 'user', group: 'Crews' } as const;

/** What dispatchers do with the telephones of crews. It takes the right to change the status of tasks. */
export function crewDeskRoutes(crews: Crews, nameOfUser: (id: number) => string): DeclaredRoute[] {
  const present = ({ session, vehicle }: CrewCaller): z.input<typeof Session> => ({
    id: session.id,
    carId: vehicle.id,
    carName: vehicle.name,
    begunAt: session.createdAt,
    usedAt: session.usedAt,
    endsAt: endOf(session),
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
  ];
}
