import { type Origin } from '@parley/kit/rpc/origin';
import { type GatewayError } from '@parley/protos/errors';
import { type Risk } from './workflow.ts';

/** The status of a run. */
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Every status that a run can have. */
export const RUN_STATUSES = ['accepted', 'running', 'succeeded', 'failed', 'cancelling', 'cancelled', 'needs_review'] as const;

/** What a run is worth once it has ended; empty for one that has not, and for one that was cancelled before it did anything. */
export type Verdict = '' | 'passed' | 'failed' | 'needs_review';

/** The external effect of a step, as far as it is known. */
export type Effect = 'none' | 'applied' | 'unknown';

/** A run as the record has it. */
export interface StoredRun extends Origin {
  id: string;
  workspaceId: string;
  keyId: string;
  userId: string;
  slug: string;
  version: number;
  /** Empty when it has none. */
  connectionId: string;
  status: RunStatus;
  verdict: Verdict;
  /** A JSON object; empty until there is one. */
  output: string;
  errorCondition: string | null;
  errorMessage: string | null;
  /** Number of its newest event. */
  sequence: number;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** Where a run stands between two steps. */
export interface RunPosition {
  /** Null when it has not begun, and when no more steps come. */
  nextStep: string | null;
  /** Started executions: the ordinal of the newest entry of the run log. */
  executions: number;
  /** Retries of the next step so far. */
  retries: number;
}

/** An entry of the run log: one execution of one step. */
export interface RunLogEntry {
  /** From 1 on. */
  ordinal: number;
  stepId: string;
  /** Of this step in this run, from 1 on. */
  attempt: number;
  risk: Risk;
  /** `started`: it is being done, or its worker was interrupted in it. */
  status: 'started' | 'succeeded' | 'failed';
  effect: Effect;
  /** A JSON object: what later steps see of it. */
  outputs: string;
  startedAt: Date;
  endedAt: Date | null;
}

/** What an execution of a step came to. */
export interface StepOutcome {
  status: 'succeeded' | 'failed';
  effect: Effect;
  /** Null when nothing was answered. */
  statusCode: number | null;
  /** A JSON object. */
  outputs: string;
  error: GatewayError | undefined;
}

/** Whether nothing comes after a status. */
export function hasEnded(status: RunStatus): boolean {
  return status !== 'accepted' && status !== 'running' && status !== 'cancelling';
}
