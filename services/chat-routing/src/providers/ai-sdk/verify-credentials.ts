import { type LanguageModelV3 } from '@ai-sdk/provider';
import { type ErrorCondition, type GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { type Deadlines } from '../upstream-turn.ts';
import { toSdkError } from './failures.ts';
import { ModelCall } from './model-call.ts';
import { type Fetch } from './sdk-provider.ts';

/** Errors that prove valid credentials, because they concern only the model or the request. */
const ADMITTED: ReadonlySet<ErrorCondition> = new Set(['PROVIDER_MODEL_NOT_FOUND', 'PROVIDER_REJECTED_REQUEST', 'PROVIDER_FORBIDDEN']);

/** Verifies credentials with a request to a model that does not exist. Resolves when they are accepted; else throws a coded error. */
export async function verifyCredentials(
  pools: HttpPools,
  connection: UpstreamConnection,
  open: (fetch: Fetch) => Promise<LanguageModelV3>,
  deadlines: Deadlines,
): Promise<void> {
  const call = new ModelCall(pools, connection, deadlines);
  try {
    const model = await open(call.fetch);
    await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'ping' }] }], maxOutputTokens: 1 });
  } catch (thrown) {
    const error: GatewayError = toSdkError(thrown, connection.secret);
    if (!ADMITTED.has(error.condition)) throw error;
  } finally {
    call.abort();
  }
}
