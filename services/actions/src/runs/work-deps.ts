import { type Logger } from '@parley/kit/log/logger';
import { type ActionCatalog } from '../catalog/action-catalog.ts';
import { type Risk } from '../domain/workflow.ts';
import { type StepExecutors } from '../steps/step-executor.ts';
import { type Store } from '../store/store.ts';
import { type ActionInputs } from './consume-inputs.ts';

/** Bounds of runs; times in milliseconds. */
export interface RunLimits {
  stepTimeoutMs: number;
  runTimeoutMs: number;
  /** The greatest risk that a step may have that is done. */
  maxRisk: Risk;
  /** The greatest risk that needs no review. */
  unreviewedRisk: Risk;
}

/** What working on runs takes. */
export interface WorkDeps {
  store: Store;
  catalog: Pick<ActionCatalog, 'version'>;
  executors: StepExecutors;
  assets: ActionInputs;
  limits: RunLimits;
  log: Logger;
}
