import type { Migration } from './index.ts';

/**
 * Which attachments have which bytes as another form. The records name them by extension, which no index of a
 * record can follow.
 */
export const formsOfAttachments: Migration = {
  name: 'forms of attachments',
  up(sql) {
    sql.exec(
      'CREATE TABLE attachment_forms (attachment TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (attachment, sha256)) WITHOUT ROWID; CREATE INDEX attachment_forms_sha256 ON attachment_forms (sha256)',
    );
    // As version 0 of the collection is called; a new store has none yet.
    if (!sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'station.attachments.0'").get())
      return;
    sql.exec(`
      INSERT OR IGNORE INTO attachment_forms
      SELECT record.key, json_extract(form.value, '$.sha256') FROM "station.attachments.0" AS record, json_each(record.data, '$.converted') AS form
      WHERE record.deleted = 0 AND json_extract(record.data, '$.removed') = 0
    `);
  },
};
