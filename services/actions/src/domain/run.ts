import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { type GatewayError } from '@parley/protos/errors';
import { type Risk } from './workflow.ts';

/** One of `RUN_STATUSES`. */
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Every status that a run can have. */
export const RUN_STATUSES = ['accepted', 'running', 'succeeded', 'failed', 'cancelling', 'cancelled', 'needs_review'] as const;

/** The result of a run that has ended; empty while it has not, and for a run that was cancelled before it had any effect. */
export type Verdict = '' | 'passed' | 'failed' | 'needs_review';

/** The external effect of a step, as far as it is known. */
export type Effect = 'none' | 'applied' | 'unknown';

/** A run as it is stored. */
export interface StoredRun extends WorkOrigin {
  id: string;
  workspaceId: string;
  keyId: string;
  userId: string;
  slug: string;
  version: number;
  /** Id of its connection; empty without one. */
  connectionId: string;
  status: RunStatus;
  verdict: Verdict;
  /** Text of a JSON object; empty until the run has an output. */
  output: string;
  errorCondition: string | null;
  errorMessage: string | null;
  /** Sequence number of its newest event. */
  sequence: number;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** The progress of a run between two steps. */
export interface RunPosition {
  /** Id of the next step; null before the run starts and when no step follows. */
  nextStep: string | null;
  /** Number of started executions, which is the ordinal of the newest entry of the run log. */
  executions: number;
  /** Number of retries of the next step so far. */
  retries: number;
}

/** An entry of the run log: one execution of one step. */
export interface RunLogEntry {
  /** Position in the run log, from 1. */
  ordinal: number;
  stepId: string;
  /** Number of this execution of the step in this run, from 1. */
  attempt: number;
  risk: Risk;
  /** `started`: it is in progress, or its worker was interrupted. */
  status: 'started' | 'succeeded' | 'failed';
  effect: Effect;
  /** Text of a JSON object with the outputs that later steps can refer to. */
  outputs: string;
  startedAt: Date;
  endedAt: Date | null;
}

/** The result of one execution of a step. */
export interface StepOutcome {
  status: 'succeeded' | 'failed';
  effect: Effect;
  /** HTTP status; null when there was no response. */
  statusCode: number | null;
  /** Text of a JSON object with its outputs; `{}` without any. */
  outputs: string;
  error: GatewayError | undefined;
}

/** Whether a status is final. */
export function hasEnded(status: RunStatus): boolean {
  return status !== 'accepted' && status !== 'running' && status !== 'cancelling';
}
