import { type RunEvent } from '../queries/runs.ts';

/** How far a step is. */
export type StepState = 'running' | 'waiting' | 'succeeded' | 'failed' | 'skipped';

/** A step of a run, as far as its events say. */
export interface RunStep {
  id: string;
  state: StepState;
  /** From 1 on. */
  attempt: number;
  risk: string | undefined;
  /** Of the last attempt. */
  ms: number | undefined;
  /** The HTTP status of its answer. */
  statusCode: number | undefined;
  error: { code: string; message: string } | undefined;
  /** Milliseconds until the next attempt. */
  waitMs: number | undefined;
}

const STATES: Readonly<Record<string, StepState>> = {
  'step.started': 'running',
  'step.retrying': 'waiting',
  'step.succeeded': 'succeeded',
  'step.failed': 'failed',
  'step.skipped': 'skipped',
};

/** Returns the steps of a run in the order in which they began, each in the state of its last event. */
export function toRunSteps(events: readonly RunEvent[]): RunStep[] {
  const steps = new Map<string, RunStep>();
  for (const { type, step_id: id, data } of events) {
    const state = STATES[type];
    if (id === null || state === undefined) continue;
    const known = steps.get(id);
    const isNew = state === 'running';
    steps.set(id, {
      id,
      state,
      attempt: numberIn(data, 'attempt') ?? known?.attempt ?? 1,
      risk: textIn(data, 'risk') ?? known?.risk,
      ms: numberIn(data, 'ms') ?? (isNew ? undefined : known?.ms),
      statusCode: numberIn(data, 'status_code') ?? (isNew ? undefined : known?.statusCode),
      error: errorIn(data) ?? (state === 'waiting' ? known?.error : undefined),
      waitMs: state === 'waiting' ? numberIn(data, 'wait_ms') : undefined,
    });
  }
  return [...steps.values()];
}

function numberIn(data: RunEvent['data'], name: string): number | undefined {
  const value = data[name];
  return typeof value === 'number' ? value : undefined;
}

function textIn(data: RunEvent['data'], name: string): string | undefined {
  const value = data[name];
  return typeof value === 'string' ? value : undefined;
}

function errorIn({ error }: RunEvent['data']): RunStep['error'] {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: String(code), message: String(message) };
}
