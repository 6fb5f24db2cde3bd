import { CAPABILITIES, ROLE_CAPABILITIES, type Role } from '../../../shared/records/accounts.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import { CREWS } from '../demo-user.ts';
import { SERVICES, type Service } from './services.ts';

/** A login of the demo, as printed at the start. */
export interface DemoLogin {
  readonly login: string;
  readonly password: string;
  readonly what: string;
}

export const DEMO_LOGINS: readonly DemoLogin[] = [
  { login: 'dispatcher', password: 'dispatcher', what: 'Dispatcher of all organizations' },
  { login: 'operator', password: 'operator', what: 'A second dispatcher, for a second window' },
  { login: 'supervisor', password: 'supervisor', what: 'Administrator' },
  ...SERVICES.map((service) => ({
    login: service.login,
    password: service.login,
    what: `Dispatcher of ${service.name}`,
  })),
];

/** Organizations, roles and users. `crewPassword` should be random text. */
export async function fillPeople(accounts: Accounts, town: string, crewPassword: string): Promise<void> {
  const actor = accounts.stationActor();
  const home = actor.user.organizationId;
  const named = (name: string): Role => {
    const role = accounts.roles.all().find((one) => one.name === name && !one.isDeleted);
    if (!role) throw new Error(`A new station has no right ${name}.`);
    return role;
  };
  const capabilities = (...wanted: readonly (typeof ROLE_CAPABILITIES)[number][]) =>
    wanted.map((capability) => ({ capabilityId: ROLE_CAPABILITIES.indexOf(capability) + 1, stateIds: null }));
  const chief = await accounts.administration.createRole(actor, {
    name: 'Chief dispatcher',
    superuser: true,
    organizationId: home,
    accesses: capabilities(...CAPABILITIES.filter((one) => one !== 'delete'), 'closures-wide', 'presets'),
  });
  const crew = await accounts.administration.createRole(actor, {
    name: 'Crew',
    superuser: true,
    organizationId: home,
    accesses: capabilities('view', 'change_status', 'comment'),
  });
  await accounts.administration.changeOrganization(actor, home, { name: `${town} Control Room` });
  const user = (login: string, password: string, name: string, roleId: number, organizationId: number) =>
    accounts.administration.createUser(
      actor,
      { login, password, name, roleId, organizationId, email: `${login}@demo.invalid` },
      { isPublic: true },
    );
  const administrator = named('Administrator').id;
  const dispatcher = named('Dispatcher').id;
  await user('dispatcher', 'dispatcher', 'Daria Vetanova', chief.id, home);
  await user('operator', 'operator', 'Николай Берадин', chief.id, home);
  await user('supervisor', 'supervisor', 'Claire Holm', administrator, home);
  await user(CREWS, crewPassword, 'Crews on the road', crew.id, home);
  for (const service of SERVICES) {
    const organization = await accounts.administration.createOrganization(actor, { name: service.name });
    await user(service.login, service.login, service.chief, dispatcher, organization.id);
  }
}

export function organizationOf(accounts: Accounts, service: Service): number {
  const organization = accounts.organizations.all().find((one) => one.name === service.name && !one.isDeleted);
  if (!organization) throw new Error(`The demo has no department ${service.name}.`);
  return organization.id;
}
