import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { challenge, SignIn } from './sign-in.ts';
import { toRefusedError } from './wire.ts';

const asksForMore = z.object({ challenge });
const session = z.object({ token: z.string() });
const modelList = z.object({ models: z.array(z.object({ id: z.string() })) });

/**
 * Logs in with account name and password; the token is what is kept. Throws ACCOUNT_REAUTH_REQUIRED on bad credentials, and VALIDATION_ERROR for an
 * account that asks for more, which is connected step by step.
 */
export async function openSession(pools: Pools, connection: UpstreamConnection): Promise<string> {
  const body = await pools.json(
    connection.baseUrl,
    '/api/session',
    { method: 'POST', body: { account: connection.account, password: connection.secret } },
    toRefusedError,
  );
  const asked = asksForMore.safeParse(body).data?.challenge;
  if (asked) {
    await new SignIn(pools, connection.baseUrl).giveUp(asked.id).catch(() => undefined);
    throw new GatewayError('VALIDATION_ERROR', 'this account asks for a code: connect it step by step', { param: 'account' });
  }
  const parsed = session.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not open a session');
  return parsed.data.token;
}

/** Asks what models the account offers; also proves that its session is alive. */
export async function listModels(pools: Pools, connection: UpstreamConnection): Promise<string[]> {
  const body = await pools.json(connection.baseUrl, '/api/models', { method: 'GET', headers: bearer(connection) }, toRefusedError);
  const parsed = modelList.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not list its models');
  return parsed.data.models.map(({ id }) => id);
}

/** The session header of an account. */
export function bearer({ secret }: UpstreamConnection): { authorization: string } {
  return { authorization: `Bearer ${secret}` };
}
