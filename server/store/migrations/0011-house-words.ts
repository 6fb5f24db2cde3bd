import type { DatabaseSync } from 'node:sqlite';
import type { Migration } from './index.ts';
import { forgetSchemas, renameCounters, renameRecord, rewriteRecords, type CollectionNames } from './rename-records.ts';

const COLLECTIONS: Readonly<Record<string, CollectionNames & { readonly newName?: string }>> = {
  messages: {
    newName: 'tasks',
    fields: { departmentId: 'organizationId', assignedDepartmentId: 'assignedOrganizationId' },
  },
  comments: { fields: { messageId: 'taskId' }, inner: { assignedDepartment: 'assignedOrganization' } },
  attachments: { fields: { messageId: 'taskId' } },
  directories: { fields: { departmentIds: 'organizationIds' } },
  accounts: { fields: { rightId: 'roleId' }, kinds: { right: 'role' } },
  alarms: { fields: { messageId: 'taskId' } },
};

/** Values of `field` in the history, which names fields of tasks. */
const HISTORY_FIELDS: Readonly<Record<string, string>> = {
  departmentId: 'organizationId',
  assignedDepartmentId: 'assignedOrganizationId',
};

/**
 * Calls tasks, organizations and roles by these names in stored records and tables. State rules keep the field
 * names that they were given: the interface answers them so, and `shared/tasks/state-rules.ts` reads both.
 */
export const houseWords: Migration = {
  name: 'house words',
  up(sql) {
    for (const [collection, { newName, ...names }] of Object.entries(COLLECTIONS)) {
      rewriteRecords(sql, collection, (record) => renameRecord(record, names), newName);
      renameCounters(sql, collection, names.kinds ?? {});
    }
    rewriteRecords(sql, 'history', (entry) => ({
      ...renameRecord(entry, { fields: { messageId: 'taskId' } }),
      from: entry['from'],
      to: entry['to'],
      field: HISTORY_FIELDS[String(entry['field'])] ?? entry['field'],
    }));
    renameTables(sql);
    forgetSchemas(sql);
  },
};

function renameTables(sql: DatabaseSync): void {
  sql.exec(`
    UPDATE counters SET name = 'tasks' WHERE name = 'messages';
    UPDATE purges SET records = replace(records, 'station.messages.', 'station.tasks.');
    UPDATE event_checkpoints_of_feeds SET source = 'tasks' WHERE source = 'messages';
    ALTER TABLE task_lives RENAME COLUMN message TO task;
    DROP INDEX task_turns_message;
    ALTER TABLE task_turns RENAME COLUMN message TO task;
    CREATE INDEX task_turns_task ON task_turns (task);
  `);
  for (const table of ['mail', 'post'])
    sql.exec(`
      DROP INDEX ${table}_of_departments;
      ALTER TABLE ${table} RENAME COLUMN message_id TO task_id;
      ALTER TABLE ${table} RENAME COLUMN department_id TO organization_id;
      CREATE INDEX ${table}_of_organizations ON ${table} (organization_id, id);
    `);
}
