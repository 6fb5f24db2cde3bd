import type { RxJsonSchema } from 'rxdb/plugins/core';
import type {
  AlarmRecord,
  Comment,
  DirectoryRecord,
  FleetEntry,
  Task,
  Organization,
  SharedPreset,
  Role,
  User,
  Vehicle,
} from '../../../../shared/records/index.ts';

/** Collections that a station offers to replicas (GET /replica/:collection), and the record types in them. */
export interface ReplicaRecords {
  tasks: Task;
  comments: Comment;
  directories: DirectoryRecord;
  accounts:
    | Omit<User, 'passwordHash' | 'signIn' | 'hlc'>
    | Omit<Organization, 'hlc'>
    | Omit<Role, 'hlc'>
    | Omit<SharedPreset, 'hlc'>;
  vehicles: Omit<Vehicle, 'devicePassword'>;
  fleet: FleetEntry;
  alarms: AlarmRecord;
}
export type ReplicaName = keyof ReplicaRecords;
export const REPLICA_NAMES = [
  'directories',
  'accounts',
  'fleet',
  'vehicles',
  'alarms',
  'tasks',
  'comments',
] as const satisfies readonly ReplicaName[];

/** The interface's name of a collection. */
export function replicaWireName(name: ReplicaName): string {
  return name === 'tasks' ? 'messages' : name;
}

/**
 * The station has validated every record, so a replica declares only its keys and the task of a comment.
 * Other fields pass through.
 */
export function schemaOf(name: ReplicaName): RxJsonSchema<{ key: string; id: number }> {
  // Those of alarms are digests of 52 bits.
  const id = { type: 'number', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 1 } as const;
  return {
    title: name,
    version: 0,
    primaryKey: 'key',
    type: 'object',
    properties: { key: { type: 'string', maxLength: 60 }, id, ...(name === 'comments' ? { taskId: id } : {}) },
    required: ['key', 'id', ...(name === 'comments' ? ['taskId' as 'id'] : [])],
    indexes: name === 'comments' ? ['taskId'] : [],
  };
}
