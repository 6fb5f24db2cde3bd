import type { Migration } from './index.ts';

/** Which of two linked stations leads: promotions, and how far a standby has followed. JSON. */
export const leadershipOfLinks: Migration = {
  name: 'leadership of links',
  up(sql) {
    sql.exec(`ALTER TABLE links ADD COLUMN leadership TEXT NOT NULL DEFAULT '{}'`);
  },
};
