import type { Actor } from '../../../shared/access.ts';
import { administers } from '../../../shared/access.ts';
import type { Organization } from '../../../shared/records/accounts.ts';
import { readMapProvider } from '../../../shared/geo/map-provider.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';

type OrganizationFields = Pick<
  Organization,
  'name' | 'logo' | 'mapExtent' | 'mapRoadProvider' | 'mapAerialProvider'
> & { info: Organization['info'] };
export type OrganizationChange = Partial<Omit<OrganizationFields, 'info'>> & {
  info?: Partial<Organization['info']> | undefined;
};

export const EMPTY_INFO: Organization['info'] = { address: '', phone: '', inn: '', kpp: '', email: '', homepage: '' };

const EXAMPLE = 'https://tiles.example/{z}/{x}/{y}.png';

/** Only users who see all organizations create and delete them. */
export function createOrganization(
  by: Actor,
  id: number,
  { info, ...fields }: OrganizationChange & { name: string },
): Draft<Organization> {
  requireSuperuser(by);
  const organization: Draft<Organization> = {
    id,
    kind: 'organization',
    isDeleted: false,
    logo: '',
    mapExtent: '',
    mapRoadProvider: '',
    mapAerialProvider: '',
    ...fields,
    name: fields.name.trim(),
    info: { ...EMPTY_INFO, ...info },
  };
  check(organization, fields);
  return organization;
}

export function changeOrganization(
  by: Actor,
  organization: Organization,
  { info, ...fields }: OrganizationChange,
): Organization {
  if (!administers(by, organization.id)) throw new Refusal('accounts.notYours', { name: organization.name });
  const changed = { ...organization, ...fields, info: { ...organization.info, ...info } };
  check(changed, fields);
  return changed;
}

/** Tasks and vehicles keep the reference; but no user may remain in it. */
export function deleteOrganization(by: Actor, organization: Organization, users: number): Organization {
  requireSuperuser(by);
  if (users > 0) throw new Refusal('accounts.usersLeft', { name: organization.name, count: users });
  return { ...organization, isDeleted: true };
}

function requireSuperuser(by: Actor): void {
  if (!by.role.admin || !by.role.superuser) throw new Refusal('accounts.superuserOnly');
}

/**
 * Only the fields that this order changes: a provider's value that came from elsewhere must not block other
 * changes.
 */
function check(organization: Draft<Organization>, ordered: OrganizationChange): void {
  if (organization.name.trim() === '') throw new Refusal('field.empty', { field: 'name' });
  for (const field of ['mapRoadProvider', 'mapAerialProvider'] as const)
    if (readMapProvider(ordered[field] ?? '') === 'faulty')
      throw new Refusal('field.example', { field, example: EXAMPLE });
}
