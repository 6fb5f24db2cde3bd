/** Whether SQLite reports with this error that a file is damaged, or is no database. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [11, 26].includes(errcode & 0xff); // SQLITE_CORRUPT, SQLITE_NOTADB
}
