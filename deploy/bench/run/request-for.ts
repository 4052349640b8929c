import { PROMPT, type RequestParts } from '../load/request.ts';
import { type Expectation, expectationOf } from '../mock/scripts.ts';
import { type StartedTarget } from './rig.ts';

/** The request of a job for one target, and what its answer must hold. */
export function requestFor(target: StartedTarget, model: string, stream: boolean): RequestParts & { expect: Expectation } {
  const { running } = target;
  const body = JSON.stringify({ model: running.model(model), stream, messages: [{ role: 'user', content: PROMPT }] });
  return { url: running.url, headers: running.headers, body, expect: expectationOf(model, stream) };
}
