import { type Generation } from './generation/generation.ts';
import { type Pacing } from './generation/pacing.ts';
import { type World } from './state/world.ts';

/** What every handler works on. */
export interface Sandbox {
  readonly world: World;
  readonly pacing: Pacing;
  readonly sessionTtlMs: number;
  /** Replies that go on whoever listens. */
  readonly running: Set<Generation>;
  /** Hears of what should never happen. */
  readonly onError: (error: unknown) => void;
}
