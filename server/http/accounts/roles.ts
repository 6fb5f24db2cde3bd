import { z } from 'zod';
import type { Accounts, RoleFields } from '../../access/accounts/index.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import { presentRole, RoleAnswer } from './presenters.ts';
import { Deleted, DELETED } from '../app/common-answers.ts';
import { bodyId, filledUpTo, pathId } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

const Access = z.object({ capability_id: bodyId, states: z.array(bodyId).max(1000).nullable().default(null) });
const Change = z.object({
  name: filledUpTo(100).optional(),
  wheel: z.boolean().optional(),
  admin: z.boolean().optional(),
  organizationId: bodyId.optional(),
  accesses: z.array(Access).max(100).optional(),
});
const params = z.object({ id: pathId });

/** B. Roles. Capability ids are those of `GET /news/capabilities`; states null: in any state. */
export function roleRoutes(accounts: Accounts): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/rights',
      family: 'B',
      access: 'admin',
      summary: 'Rights',
      answer: z.array(RoleAnswer),
      run: () =>
        accounts.roles
          .all()
          .filter((role) => !role.isDeleted)
          .map((role) => presentRole(role, accounts)),
    }),
    route({
      method: 'POST',
      path: '/rights',
      family: 'B',
      access: 'admin',
      summary: 'Make a right',
      description: 'Without `accesses` it may view messages in any state, and nothing else.',
      body: Change.extend({ name: filledUpTo(100) }),
      answer: RoleAnswer,
      run: async ({ caller, body }) =>
        presentRole(
          await accounts.administration.createRole(caller, { ...roleChange(body), name: body.name }),
          accounts,
        ),
    }),
    route({
      method: 'GET',
      path: '/rights/:id',
      family: 'B',
      access: 'admin',
      summary: 'One right',
      params,
      answer: RoleAnswer,
      run: ({ params }) => presentRole(accounts.administration.requireRole(params.id), accounts),
    }),
    route({
      method: 'PUT',
      path: '/rights/:id',
      family: 'B',
      access: 'admin',
      summary: 'Change a right',
      description: 'Fields that are not sent stay; `accesses` replaces all access rules.',
      params,
      body: Change,
      answer: RoleAnswer,
      run: async ({ caller, params, body }) =>
        presentRole(await accounts.administration.changeRole(caller, params.id, roleChange(body)), accounts),
    }),
    route({
      method: 'DELETE',
      path: '/rights/:id',
      family: 'B',
      access: 'admin',
      summary: 'Withdraw a right that no user has',
      params,
      answer: Deleted,
      run: async ({ caller, params }) => {
        await accounts.administration.deleteRole(caller, params.id);
        return DELETED;
      },
    }),
  ];
}

function roleChange({ accesses, wheel, ...fields }: z.output<typeof Change>): Partial<RoleFields> {
  const sent = definedFields({ ...fields, superuser: wheel });
  return accesses
    ? { ...sent, accesses: accesses.map((access) => ({ capabilityId: access.capability_id, stateIds: access.states })) }
    : sent;
}
