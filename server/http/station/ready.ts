import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

/** @param isFilled whether the records that consoles ask for are here */
export function readyRoutes(isFilled: () => boolean): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/ready',
      family: 'station',
      group: 'station',
      access: 'open',
      summary: 'May a balancer send consoles here? 503 while a console server is filled',
      answer: z.object({ ready: z.literal(true) }),
      run: () => {
        if (!isFilled()) throw new Refusal('consoles.filling');
        return { ready: true as const };
      },
    }),
  ];
}
