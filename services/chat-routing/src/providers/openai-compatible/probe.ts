import { GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { findFailure } from '../upstream-failure.ts';
import { authorization } from './models.ts';
import { isFailure, readCompletion } from './wire.ts';

const MESSAGES = [{ role: 'user', content: 'Hi' }];

/** Asks for an answer of one token to see whether the model answers. Throws a coded error within 20 s. */
export async function probe(pools: Pools, connection: UpstreamConnection, model: string): Promise<void> {
  try {
    await ask(pools, connection, { model, messages: MESSAGES, max_tokens: 1 });
  } catch (error) {
    // Models that reason take the bound by its newer name alone, and may need some tokens to think.
    if (!(error instanceof GatewayError) || error.condition !== 'PROVIDER_REJECTED_REQUEST') throw error;
    await ask(pools, connection, { model, messages: MESSAGES, max_completion_tokens: 16 });
  }
}

async function ask(pools: Pools, connection: UpstreamConnection, body: object): Promise<void> {
  const answer = await pools.json(connection.baseUrl, '/chat/completions', { method: 'POST', headers: authorization(connection), body });
  if (isFailure(answer)) throw findFailure(answer, connection.secret);
  readCompletion(answer);
}
