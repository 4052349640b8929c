import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type Pools } from '../pools.ts';
import { type ProviderAccount } from '../provider-account.ts';
import { toRefusedError } from './wire.ts';

const session = z.object({ token: z.string() });
const modelList = z.object({ models: z.array(z.object({ id: z.string() })) });

/** Logs in with account name and password; the token is what is kept. Throws ACCOUNT_REAUTH_REQUIRED on bad credentials. */
export async function openSession(pools: Pools, account: ProviderAccount): Promise<string> {
  const body = await pools.json(
    account.baseUrl,
    '/api/session',
    { method: 'POST', body: { account: account.account, password: account.secret } },
    toRefusedError,
  );
  const parsed = session.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not open a session');
  return parsed.data.token;
}

/** Asks what models the account offers; also proves that its session is alive. */
export async function listModels(pools: Pools, account: ProviderAccount): Promise<string[]> {
  const body = await pools.json(account.baseUrl, '/api/models', { method: 'GET', headers: bearer(account) }, toRefusedError);
  const parsed = modelList.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not list its models');
  return parsed.data.models.map(({ id }) => id);
}

/** The session header of an account. */
export function bearer({ secret }: ProviderAccount): { authorization: string } {
  return { authorization: `Bearer ${secret}` };
}
