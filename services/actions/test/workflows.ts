import { type Step, type Workflow } from '../src/domain/workflow.ts';

/** A step that reads, answered by the test's executor. */
export function step(id: string, part: Partial<Step> = {}): Step {
  return {
    ...{ id, description: '', risk: 'read', operation: { kind: 'http', method: 'post', url: `https://api.example/${id}` } },
    ...{ parameters: [], payload: undefined, contentType: 'application/json', idempotencyHeader: undefined },
    ...{ successCriteria: [], outputs: { of: `$response.body#/of` }, onSuccess: [], onFailure: [] },
    ...part,
  };
}

/** A step that writes. */
export function write(id: string, part: Partial<Step> = {}): Step {
  return step(id, { risk: 'write', ...part });
}

/** A step that writes, and that the other side knows again. */
export function keyedWrite(id: string, part: Partial<Step> = {}): Step {
  return write(id, { idempotencyHeader: 'Idempotency-Key', ...part });
}

/** What repeats a step that failed. */
export function retry(retryLimit: number, retryAfter = 0): Step['onFailure'][number] {
  return { type: 'retry', stepId: undefined, retryAfter, retryLimit, criteria: [] };
}

/** What goes on somewhere else. */
export function goTo(stepId: string) {
  return { type: 'goto' as const, stepId, criteria: [], retryAfter: 0, retryLimit: 0 };
}

/** An action of these steps; its output is the response of the last one. */
export function workflow(steps: readonly Step[], part: Partial<Workflow> = {}): Workflow {
  const last = steps.at(-1)?.id ?? '';
  const risks = steps.map(({ risk }) => risk);
  const risk = risks.includes('irreversible') ? 'irreversible' : risks.includes('write') ? 'write' : 'read';
  return {
    ...{ slug: 'test', title: 'Test', description: '', risk, requiresConnection: false, inputs: { type: 'object' }, fileInputs: [] },
    ...{ steps, outputs: { last: `$steps.${last}.outputs.of` } },
    ...part,
  };
}
