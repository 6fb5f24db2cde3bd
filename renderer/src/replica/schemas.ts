import type { RxJsonSchema } from 'rxdb/plugins/core';
import type { Comment, Directory, Driver, Message, Organization, Right, User, Vehicle, VehicleGroup } from '../../../shared/records/index.ts';

/** What a station offers to replicas (GET /replica/:collection), and the record types in it. */
export interface ReplicaRecords {
  messages: Message;
  comments: Comment;
  directories: Directory;
  accounts: Omit<User, 'passwordHash' | 'hlc'> | Omit<Organization, 'hlc'> | Omit<Right, 'hlc'>;
  vehicles: Omit<Vehicle, 'devicePassword'>;
  fleet: Driver | VehicleGroup;
}
export type ReplicaName = keyof ReplicaRecords;
export const REPLICA_NAMES = ['directories', 'accounts', 'fleet', 'vehicles', 'messages', 'comments'] as const satisfies readonly ReplicaName[];

/**
 * The station has checked every record already, so a replica names only what it looks up by: the key, and the message of a
 * comment. Everything else comes along as it is.
 */
export function schemaOf(name: ReplicaName): RxJsonSchema<{ key: string; id: number }> {
  const id = { type: 'number', minimum: 0, maximum: 2_147_483_647, multipleOf: 1 } as const;
  return {
    title: name,
    version: 0,
    primaryKey: 'key',
    type: 'object',
    properties: { key: { type: 'string', maxLength: 60 }, id, ...(name === 'comments' ? { messageId: id } : {}) },
    required: ['key', 'id', ...(name === 'comments' ? ['messageId' as 'id'] : [])],
    indexes: name === 'comments' ? ['messageId'] : [],
  };
}
