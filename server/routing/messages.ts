import type { RefusalCode } from '../../shared/refusal.ts';
import type { Affected } from './closures.ts';
import type { Metric } from './customize.ts';
import type { Closure } from './door.ts';
import type { HierarchyColumns } from './hierarchy.ts';
import type { Router } from './router.ts';

/** What the planner's main side asks its workers, by the names of the router's own methods. */
export type Question = { [M in 'locate' | 'nearest' | 'route' | 'table' | 'roads']: { method: M; args: Parameters<Router[M]> } }['locate' | 'nearest' | 'route' | 'table' | 'roads'];

export interface Asked {
  id: number;
  question: Question;
}

/** New conditions for a search worker; the questions after it obey them. `metric` undefined: no closures. */
export interface Traffic {
  metric: Metric | undefined;
  affected: readonly Affected[];
}

export type Answered =
  | { id: number; kind: 'answer'; value: unknown }
  | { id: number; kind: 'refusal'; code: RefusalCode; message: string }
  | { id: number; kind: 'failure'; message: string };

/** What a search worker is started with, made by the preparing worker; all memory is shared. */
export interface Prepared {
  roads: SharedArrayBuffer;
  hierarchy: HierarchyColumns;
  metric: Metric;
  traffic: Traffic;
}

/** Closures for the preparing worker, and what it makes of them. */
export interface Closing {
  id: number;
  closures: readonly Closure[];
}

export interface Closed {
  id: number;
  traffic: Traffic;
}
