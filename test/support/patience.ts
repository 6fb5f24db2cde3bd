/**
 * How long a test waits for a condition, in milliseconds, before it fails. A CI machine may be busy with other
 * work; on a developer's machine a failure should show soon.
 */
export const PATIENCE = process.env['CI'] ? 60_000 : 10_000;
