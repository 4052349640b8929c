import { describe, expect, it } from '@jest/globals';
import { type RunEvent } from '../queries/runs.ts';
import { toRunSteps } from './run-steps.ts';

const event = (type: string, step_id: string | null, data: Record<string, unknown> = {}): RunEvent => ({
  ...{ sequence: 1, type, step_id, data },
  at: '2026-01-01T00:00:00Z',
});

describe('toRunSteps', () => {
  it('says of each step what its last event left it as', () => {
    const steps = toRunSteps([
      event('run.accepted', null),
      event('step.started', 'create', { attempt: 1, risk: 'write' }),
      event('step.succeeded', 'create', { attempt: 1, ms: 40, status_code: 201 }),
      event('step.started', 'check', { attempt: 1, risk: 'read' }),
      event('step.skipped', 'tell'),
      event('run.ended', null),
    ]);
    expect(steps).toMatchObject([
      { id: 'create', state: 'succeeded', risk: 'write', ms: 40, statusCode: 201 },
      { id: 'check', state: 'running', ms: undefined },
      { id: 'tell', state: 'skipped' },
    ]);
  });

  it('keeps why a step is tried again, until it is', () => {
    const failed = [
      event('step.started', 'create', { attempt: 1, risk: 'write' }),
      event('step.failed', 'create', { attempt: 1, ms: 5, status_code: 503, error: { code: 'ACTION_STEP_FAILED', message: 'busy' } }),
      event('step.retrying', 'create', { attempt: 2, wait_ms: 1000 }),
    ];
    expect(toRunSteps(failed)).toMatchObject([{ state: 'waiting', attempt: 2, waitMs: 1000, error: { message: 'busy' } }]);
    const again = toRunSteps([...failed, event('step.started', 'create', { attempt: 2, risk: 'write' })]);
    expect(again).toMatchObject([{ state: 'running', attempt: 2, error: undefined, statusCode: undefined }]);
  });
});
