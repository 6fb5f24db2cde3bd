import type { Migration } from './index.ts';

/**
 * Mail and letters keep whose message they are about: its administrators see them. What was written before
 * takes it from the message; 0 where that is gone.
 */
export const departmentsOfNotices: Migration = {
  name: 'departments of notices',
  up(sql) {
    const messages = sql
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%.messages.%' ORDER BY name")
      .all()
      .map(({ name }) => String(name));
    for (const table of ['mail', 'post']) {
      sql.exec(`
        ALTER TABLE ${table} ADD COLUMN department_id INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX ${table}_of_departments ON ${table} (department_id, id);
      `);
      for (const name of messages) {
        sql.exec(`
          UPDATE ${table} SET department_id = message.departmentId
          FROM (SELECT json_extract(data, '$.id') AS id, json_extract(data, '$.departmentId') AS departmentId FROM "${name}" WHERE deleted = 0) AS message
          WHERE message.id = ${table}.message_id
        `);
      }
    }
  },
};
