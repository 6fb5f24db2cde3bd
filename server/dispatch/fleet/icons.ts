import type { Icon } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { named, type DirectoryRules } from './directory.ts';

/** Uploaded bytes, checked to be a picture. */
export interface Picture {
  readonly sha256: string;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

export interface IconOrder {
  name?: string | undefined;
  picture?: Picture | undefined;
}

/** Pixels to a side: icons are drawn at some dozens. */
const LARGEST = 1024;

/**
 * Icons of users who see every organization are shared, and only such users change them; others belong to an
 * organization.
 */
export function iconRules(): DirectoryRules<Icon, IconOrder> {
  return {
    what: 'icon',
    owner: ({ organizationId }) => (organizationId === 0 ? undefined : organizationId),
    mayChange: ({ organizationId }, by) => organizationId !== 0 || by.role.superuser,
    create: (id, { name, picture }, by) => {
      if (!picture) throw new Refusal('field.missing', { field: 'uuid' });
      return {
        id,
        kind: 'icon',
        isDeleted: false,
        name: named(name),
        organizationId: by.role.superuser ? 0 : by.user.organizationId,
        ...pictured(picture),
      };
    },
    change: (icon, { name, picture }) => ({ ...icon, name: named(name, icon.name), ...(picture && pictured(picture)) }),
  };
}

function pictured({ sha256, type, width, height }: Picture): Pick<Icon, 'picture' | 'type' | 'width' | 'height'> {
  if (width > LARGEST || height > LARGEST)
    throw new Refusal('fleet.largeIcon', { field: 'uuid', most: LARGEST, width, height });
  return { picture: sha256, type, width, height };
}
