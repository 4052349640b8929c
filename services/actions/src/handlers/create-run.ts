import { MAX_IDEMPOTENCY_KEY_LENGTH } from '@parley/kit/ids/idempotency-key';
import { isUuid, uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { type CreateRunRequest, type Run } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type RunnableVersion } from '../catalog/action-catalog.ts';
import { type Deps } from '../deps.ts';
import { findInputError } from '../document/find-input-error.ts';
import { type JsonValue } from '../domain/json.ts';
import { isHigherRisk } from '../domain/verdict.ts';
import { requireConnection } from '../runs/require-connection.ts';
import { createRun as create, findRepeatedRun } from '../store/create-run.ts';
import { getEligibility } from './get-eligibility.ts';
import { toRun } from './run-view.ts';

const MAX_INPUT_BYTES = 1_048_576;

/**
 * Accepts a run. A repeated request returns the accepted run, also when a new run would be rejected now.
 * @throws ACTION_NOT_FOUND, ACTIONS_DISABLED, ACTION_RISK_BLOCKED, ACTION_CONNECTION_REQUIRED, VALIDATION_ERROR
 */
export async function createRun(deps: Deps, request: CreateRunRequest, call: Call): Promise<Run> {
  const { slug, connectionId, idempotencyKey, requestDigest, input } = request;
  const { workspaceId, keyId, userId } = call.caller;
  const { database } = deps.store;
  if (idempotencyKey.length > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw refused('idempotency_key', `has more than ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`);
  const identity = { workspaceId, slug, idempotencyKey, requestDigest };
  const known = isUuid(workspaceId) ? await findRepeatedRun(database.pool, identity) : undefined;
  if (known) return toRun(database, known);
  const { version, workflow } = await runnable(deps, request, call);
  const wrong = findInputError(workflow, parsed(input));
  if (wrong) throw wrong;
  const run = { id: uuidv7(), ...identity, keyId, userId, version, connectionId, input, ...toWorkOrigin(call) };
  return toRun(database, await create(deps.store, run));
}

/** Returns the version to run, after every check except that of its input. */
async function runnable(deps: Deps, { slug, connectionId }: CreateRunRequest, call: Call): Promise<RunnableVersion> {
  const published = await deps.catalog.findCurrentVersion(slug);
  if (!published) throw new GatewayError('ACTION_NOT_FOUND', 'the action does not exist, or is not published');
  const { enabled, reason } = await getEligibility(deps, undefined, call);
  if (!enabled) {
    const why =
      reason === 'execution_disabled' ? 'the execution of actions is disabled' : 'the workspace does not take part in the beta of actions';
    throw new GatewayError('ACTIONS_DISABLED', why);
  }
  const { risk, requiresConnection } = published.workflow;
  if (isHigherRisk(risk, deps.maxRisk)) {
    throw new GatewayError('ACTION_RISK_BLOCKED', `the action has the risk ${risk}, and up to ${deps.maxRisk} may be run here`);
  }
  if (connectionId !== '' && !isUuid(connectionId)) throw refused('connection_id', 'is not a UUID');
  if (requiresConnection || connectionId !== '') await requireConnection(deps.routing, connectionId, call);
  return published;
}

function parsed(input: string): JsonValue {
  if (Buffer.byteLength(input) > MAX_INPUT_BYTES) throw refused('input', `has more than ${MAX_INPUT_BYTES} bytes`);
  try {
    const value = JSON.parse(input) as JsonValue;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new GatewayError('VALIDATION_ERROR', 'input is not JSON', { param: 'input', cause });
  }
  throw refused('input', 'must be an object');
}

function refused(param: string, why: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', `${param} ${why}`, { param });
}
