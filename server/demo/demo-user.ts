import type { Actor } from '../../shared/access.ts';
import type { User } from '../../shared/records/accounts.ts';
import type { Accounts } from '../access/accounts/index.ts';

/** The login of the simulated crews. Nobody signs in with it. */
export const CREWS = 'crews';

/** A user of the demo, as the actor of a rule. */
export function demoActor(accounts: Accounts, login: string): Actor {
  const user: User | undefined = accounts.credentials.userByLogin(login);
  const role = user && accounts.roles.get(user.roleId);
  if (!user || !role) throw new Error(`The demo has no user ${login}.`);
  return { user, role };
}
