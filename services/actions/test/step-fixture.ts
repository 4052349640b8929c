import { type Asset } from '@parley/protos/asset/v1/asset';
import { type GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../src/domain/json.ts';
import { type Parameter, type Step } from '../src/domain/workflow.ts';
import { type StepExecutor, type StepRequest } from '../src/steps/step-executor.ts';

/** The workspace of every request made here. */
export const WORKSPACE_ID = '01a1fdde-fed9-75a1-9e14-598252566436';
/** The run of every request made here. */
export const RUN_ID = '01a1fdde-fed9-75a1-9e14-598252566435';

/** A step as a run asks for it. */
export function stepRequest(step: Partial<Step>, part: Partial<StepRequest> = {}): StepRequest {
  const whole: Step = {
    id: 'step',
    description: '',
    risk: 'read',
    operation: { kind: 'parley', name: 'render' },
    parameters: [],
    payload: undefined,
    contentType: 'application/json',
    idempotencyHeader: undefined,
    successCriteria: [],
    outputs: {},
    onSuccess: [],
    onFailure: [],
    ...step,
  };
  const caller = { workspaceId: WORKSPACE_ID, keyId: 'k', userId: '', scopes: [], requestId: 'r' };
  return {
    runId: RUN_ID,
    caller,
    traceparent: '',
    connectionId: '',
    step: whole,
    parameters: {},
    payload: undefined,
    idempotencyKey: `${RUN_ID}:step`,
    retries: 0,
    ...part,
  };
}

/** A request of a step that calls an API. */
export function httpRequest(
  method: string,
  url: string,
  part: Partial<StepRequest> & { at?: Record<string, Parameter['in']>; contentType?: string; idempotencyHeader?: string } = {},
): StepRequest {
  const { at = {}, contentType = 'application/json', idempotencyHeader, ...rest } = part;
  const parameters = Object.entries(at).map(([name, place]) => ({ name, in: place, value: '' }));
  return stepRequest({ operation: { kind: 'http', method, url }, parameters, contentType, idempotencyHeader }, rest);
}

/** A signal that never aborts. */
export const NEVER = new AbortController().signal;

/** Does a step with this payload. */
export const runStep = (executor: StepExecutor, payload: JsonValue | undefined, signal = NEVER) =>
  executor.execute(stepRequest({}, { payload }), signal);

/** What a step with this payload fails with, and what may have happened. */
export const failureOf = (executor: StepExecutor, payload: JsonValue | undefined, signal?: AbortSignal) =>
  runStep(executor, payload, signal).then(
    () => 'answered',
    ({ error, effect }: { error: GatewayError; effect: string }) => ({ condition: error.condition, effect }),
  );

/** A file for runs that is ready. */
export const actionInput = (part: Partial<Asset>): Asset => ({
  ...{ id: 'a1', assetType: 'action_input', fileName: 'note.txt', mimeType: 'text/plain', sizeBytes: 5, status: 'ready', retryCount: 0 },
  ...{ conversationId: '', messageId: '', errorCondition: '', errorMessage: '', sha256: '' },
  ...part,
});

/** What a step fails with that was given a wrong payload. */
export const BAD_PAYLOAD = { condition: 'ACTION_STEP_FAILED', effect: 'none' };
