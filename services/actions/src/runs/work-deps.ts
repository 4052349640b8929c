import { type Logger } from '@parley/kit/log/logger';
import { type ActionCatalog } from '../catalog/action-catalog.ts';
import { type Risk } from '../domain/workflow.ts';
import { type StepExecutors } from '../steps/step-executor.ts';
import { type Store } from '../store/store.ts';
import { type ActionInputsClient } from './assign-file-inputs.ts';

/** Limits of runs; times in milliseconds. */
export interface RunLimits {
  stepTimeoutMs: number;
  runTimeoutMs: number;
  /** The highest risk of a step that may be executed. */
  maxRisk: Risk;
  /** The highest risk of an applied effect that needs no review. */
  maxRiskWithoutReview: Risk;
}

/** Dependencies of the workers of runs. */
export interface WorkDeps {
  store: Store;
  catalog: Pick<ActionCatalog, 'findVersion'>;
  executors: StepExecutors;
  assets: ActionInputsClient;
  limits: RunLimits;
  log: Logger;
}
