const SQLITE_FULL = 13;

/** Whether the operating system or SQLite reports with this error that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode, cause } = error as { code?: unknown; errcode?: unknown; cause?: unknown };
  return (
    code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL || (cause instanceof Error && isDiskFull(cause))
  );
}
