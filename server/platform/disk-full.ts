const SQLITE_FULL = 13;

/** Whether this is what the operating system, or SQLite, says when there is no room left on the disk. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode, cause } = error as { code?: unknown; errcode?: unknown; cause?: unknown };
  return (
    code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL || (cause instanceof Error && isDiskFull(cause))
  );
}
