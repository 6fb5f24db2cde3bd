interface Outcome {
  readonly file: string;
  /** Absent for a file that failed outside of its tests. */
  readonly test?: string;
  readonly message: string;
}
export interface Outcomes {
  readonly passed: Outcome[];
  readonly failed: Outcome[];
  readonly skipped: Outcome[];
}
interface RunReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}
export function isWorthAnotherRun(files: readonly string[]): boolean;
export function outcomesOf(result: RunReport | undefined, root: string): Outcomes;
export function mergeOutcomes(first: Outcomes, second: Outcomes): { merged: Outcomes; depending: Outcome[] };
