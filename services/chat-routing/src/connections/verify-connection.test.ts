import { describe, expect, it } from '@jest/globals';
import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type BreakerState, INITIAL_BREAKER_STATE, DEFAULT_BREAKER_POLICY } from '../domain/breaker.ts';
import { toProbeResult } from '../domain/error-effects.ts';
import { type ChatProvider } from '../providers/provider.ts';
import { type ConnectionRow } from '../store/connections.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { Connection } from './connection.ts';
import { verifyConnection } from './verify-connection.ts';

const EXPIRED: BreakerState = { ...INITIAL_BREAKER_STATE, expired: true };
const BROKE: BreakerState = { ...INITIAL_BREAKER_STATE, openCause: 'credit', openings: 1 };

/** What a connection finds whose list, and whose turn of one token, fail with these conditions; no turn: its adapter has none. */
async function prove(state: BreakerState, list: ErrorCondition | '', turn?: ErrorCondition | '') {
  const asked: string[] = [];
  const answer = (what: string, condition: ErrorCondition | '') => {
    asked.push(what);
    if (condition) throw new GatewayError(condition, 'failed');
  };
  const provider = {
    traits: { purpose: 'chat' },
    test: async () => (answer('list', list), { models: ['m1', 'm2'] }),
    ...(turn !== undefined && { probe: async (_upstream: unknown, model: string) => answer(model, turn) }),
  } as unknown as ChatProvider;
  const row = { id: 'id', baseUrl: '', account: '', models: ['m1', 'm2'] } as unknown as ConnectionRow;
  const connection = new Connection(row, 'sk', provider, DEFAULT_BREAKER_POLICY, new ConcurrencyLimiter(1, { length: 0, waitMs: 0 }));
  const resting = [{ model: 'm1', rests: 1, until: Number.POSITIVE_INFINITY }];
  connection.setState({ ...state, resting });
  const finding = await verifyConnection(connection).then(
    (proof) => proof.finding,
    (error: unknown) => toProbeResult(toGatewayError(error)),
  );
  return [finding, ...asked];
}

describe('verifyConnection', () => {
  it.each<[string, Parameters<typeof prove>, string[]]>([
    ['the list alone where that is enough', [INITIAL_BREAKER_STATE, '', ''], ['listed', 'list']],
    ['the list alone where the adapter has nothing else', [EXPIRED, ''], ['listed', 'list']],
    ['one token where there is no list', [INITIAL_BREAKER_STATE, 'INVALID_REQUEST', ''], ['answered', 'list', 'm2']],
    ['nothing more where there is neither', [INITIAL_BREAKER_STATE, 'INVALID_REQUEST'], ['unproven', 'list']],
    ['one token where the list is forbidden', [INITIAL_BREAKER_STATE, 'PROVIDER_FORBIDDEN', ''], ['answered', 'list', 'm2']],
    ['and believes what that says', [INITIAL_BREAKER_STATE, 'PROVIDER_FORBIDDEN', 'PROVIDER_FORBIDDEN'], ['refused', 'list', 'm2']],
    ['nothing more where the list is refused', [EXPIRED, 'ACCOUNT_REAUTH_REQUIRED', ''], ['refused', 'list']],
    ['one token of expired credentials, as lists may be public', [EXPIRED, '', 'ACCOUNT_REAUTH_REQUIRED'], ['refused', 'list', 'm2']],
    ['one token where credit was spent', [BROKE, '', 'PROVIDER_NO_CREDIT'], ['credit', 'list', 'm2']],
    ['and lets in on trial whose model does not take it', [BROKE, '', 'PROVIDER_MODEL_NOT_FOUND'], ['listed', 'list', 'm2']],
    ['nothing more of an upstream that is down', [BROKE, 'PROVIDER_UNAVAILABLE', ''], ['failure', 'list']],
  ])('asks for %s', async (_name, upstream, found) => {
    await expect(prove(...upstream)).resolves.toEqual(found);
  });
});
