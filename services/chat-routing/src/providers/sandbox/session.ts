import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { challengeSchema, SignInClient } from './sign-in.ts';
import { toResponseError } from './wire.ts';

const asksForMore = z.object({ challenge: challengeSchema });
const session = z.object({ token: z.string() });
const modelList = z.object({ models: z.array(z.object({ id: z.string() })) });

/**
 * Logs in with account name and password and returns the session token, which is stored as the secret. Throws ACCOUNT_REAUTH_REQUIRED for
 * wrong credentials, and VALIDATION_ERROR for an account with further steps, which needs a connect flow.
 */
export async function openSession(pools: HttpPools, connection: UpstreamConnection): Promise<string> {
  const body = await pools.requestJson(
    connection.baseUrl,
    '/api/session',
    { method: 'POST', body: { account: connection.account, password: connection.secret } },
    toResponseError,
  );
  const asked = asksForMore.safeParse(body).data?.challenge;
  if (asked) {
    await new SignInClient(pools, connection.baseUrl).cancel(asked.id).catch(() => undefined);
    throw new GatewayError('VALIDATION_ERROR', 'this account asks for a code: connect it step by step', { param: 'account' });
  }
  const parsed = session.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not open a session');
  return parsed.data.token;
}

/** Returns the models of the account; also verifies its session. Throws a coded error. */
export async function listModels(pools: HttpPools, connection: UpstreamConnection): Promise<string[]> {
  const body = await pools.requestJson(
    connection.baseUrl,
    '/api/models',
    { method: 'GET', headers: toBearerHeader(connection) },
    toResponseError,
  );
  const parsed = modelList.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not list its models');
  return parsed.data.models.map(({ id }) => id);
}

/** Returns the Authorization header of a connection's session. */
export function toBearerHeader({ secret }: UpstreamConnection): { authorization: string } {
  return { authorization: `Bearer ${secret}` };
}
