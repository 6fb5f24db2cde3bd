import type { Migration } from './index.ts';

/** The key up to which a sum is counted, of a collection that is older than the sums; null: all of it. */
export const digestsInPortions: Migration = {
  name: 'digests in portions',
  up(sql) {
    sql.exec('ALTER TABLE digests ADD COLUMN upto TEXT');
  },
};
