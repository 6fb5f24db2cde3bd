import { CAPABILITIES } from '../../../shared/records/accounts.ts';
import type { Organization, Role, User } from '../../../shared/records/accounts.ts';
import type { StatusName } from '../../../shared/records/directories.ts';
import type { Store } from '../../store/types.ts';
import { EMPTY_INFO } from './organizations.ts';
import { allowing } from './roles.ts';

/** Names of the statuses 1 to 4; the console translates them while they have these names. */
const STATUS_NAMES = ['New', 'Assigned', 'Feedback', 'Done'] as const;

/**
 * The first records of a station: one organization, three roles, the administrator `admin`, the four
 * statuses. One transaction.
 * @param mustChange the password opens only the choice of another one
 */
export async function seedAccounts(store: Store, passwordHash: string, mustChange: boolean): Promise<void> {
  const organizations = store.kind<Organization>('accounts', 'organization');
  const roles = store.kind<Role>('accounts', 'role');
  const users = store.kind<User>('accounts', 'user');
  const statuses = store.kind<StatusName>('directories', 'status');
  await store.transaction(async () => {
    const organizationId = organizations.nextId();
    const [administrator, dispatcher, viewer] = [roles.nextId(), roles.nextId(), roles.nextId()];
    const common = { kind: 'role', isDeleted: false, organizationId } as const;
    await Promise.all([
      organizations.insert({
        id: organizationId,
        kind: 'organization',
        name: 'Control room',
        isDeleted: false,
        logo: '',
        mapExtent: '',
        mapRoadProvider: '',
        mapAerialProvider: '',
        info: EMPTY_INFO,
      }),
      roles.insertMany([
        {
          ...common,
          id: administrator,
          name: 'Administrator',
          superuser: true,
          admin: true,
          accesses: allowing(...CAPABILITIES),
        },
        {
          ...common,
          id: dispatcher,
          name: 'Dispatcher',
          superuser: false,
          admin: false,
          accesses: allowing(...CAPABILITIES.filter((capability) => capability !== 'delete'), 'own-places'),
        },
        { ...common, id: viewer, name: 'Viewer', superuser: false, admin: false, accesses: allowing('view') },
      ]),
      users.insert({
        id: users.nextId(),
        kind: 'user',
        isDeleted: false,
        ...(mustChange && { signIn: { mustChange, totp: null, recoveryCodes: [], pinHash: null } }),
        login: 'admin',
        name: 'Administrator',
        email: '',
        phone: '',
        passwordHash,
        monitor: false,
        visible: true,
        enabled: true,
        roleId: administrator,
        organizationId,
      }),
      // Status ids are fixed by the interface and equal at every station, so they do not use a sequence.
      statuses.insertMany(
        STATUS_NAMES.map((name, index) => ({
          id: index + 1,
          kind: 'status' as const,
          name,
          isDeleted: false,
          visible: true,
        })),
        'seed',
      ),
    ]);
  });
}
