import { z } from 'zod';
import type { Accounts, OrganizationChange } from '../../access/accounts/index.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import { OrganizationAnswer, presentOrganization } from './presenters.ts';
import { Deleted, DELETED } from '../app/common-answers.ts';
import { filledUpTo, pathId, textUpTo } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

const text = textUpTo(1000).optional();
const PROVIDER =
  'Pictures of the map from elsewhere: an address with {z}, {x} and {y}, a space, and whose pictures they are. Consoles offer them, switched off, and load them past the station. Another text is kept and has no meaning.';
const Info = z.object({ address: text, phone: text, inn: text, kpp: text, email: text, homepage: text });
const Change = z.object({
  name: filledUpTo(100).optional(),
  logo: textUpTo(255).optional().meta({ description: 'File name of the logo, `department_logo` of messages.' }),
  mapExtent: text,
  mapRoadProvider: text.meta({ description: PROVIDER }),
  mapAerialProvider: text.meta({ description: PROVIDER }),
  info: Info.optional(),
});
const params = z.object({ id: pathId });

/** B. Organizations. The departments of area A are the same records. */
export function organizationRoutes(accounts: Accounts): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/organizations',
      family: 'B',
      access: 'user',
      summary: 'Organisations',
      description: 'All of them for every signed-in user: a message may be assigned to any department.',
      answer: z.array(OrganizationAnswer),
      run: () =>
        accounts.organizations
          .all()
          .filter((organization) => !organization.isDeleted)
          .map(presentOrganization),
    }),
    route({
      method: 'POST',
      path: '/organizations',
      family: 'B',
      access: 'admin',
      summary: 'Make an organisation',
      body: Change.extend({ name: filledUpTo(100) }),
      answer: OrganizationAnswer,
      run: async ({ caller, body }) =>
        presentOrganization(
          await accounts.administration.createOrganization(caller, { ...organizationChange(body), name: body.name }),
        ),
    }),
    route({
      method: 'GET',
      path: '/organizations/:id',
      family: 'B',
      access: 'user',
      summary: 'One organisation',
      params,
      answer: OrganizationAnswer,
      run: ({ params }) => presentOrganization(accounts.administration.requireOrganization(params.id)),
    }),
    route({
      method: 'PUT',
      path: '/organizations/:id',
      family: 'B',
      access: 'admin',
      summary: 'Change an organisation',
      params,
      body: Change,
      answer: OrganizationAnswer,
      run: async ({ caller, params, body }) =>
        presentOrganization(
          await accounts.administration.changeOrganization(caller, params.id, organizationChange(body)),
        ),
    }),
    route({
      method: 'DELETE',
      path: '/organizations/:id',
      family: 'B',
      access: 'admin',
      summary: 'Withdraw an organisation that has no users',
      params,
      answer: Deleted,
      run: async ({ caller, params }) => {
        await accounts.administration.deleteOrganization(caller, params.id);
        return DELETED;
      },
    }),
  ];
}

function organizationChange({ info, ...fields }: z.output<typeof Change>): OrganizationChange {
  return { ...definedFields(fields), ...(info ? { info: definedFields(info) } : {}) };
}
