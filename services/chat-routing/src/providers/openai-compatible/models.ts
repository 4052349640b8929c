import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type Pools } from '../pools.ts';
import { type ProviderAccount } from '../provider-account.ts';

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The Authorization header of an account; none for an upstream that needs no key. */
export function authorization({ secret }: ProviderAccount): Record<string, string> {
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

/** Asks `/models` what the account offers. Throws a coded error. */
export async function listModels(pools: Pools, account: ProviderAccount): Promise<string[]> {
  const body = await pools.json(account.baseUrl, '/models', { method: 'GET', headers: authorization(account) });
  const models = modelList.safeParse(body);
  if (!models.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no list of models');
  return models.data.data.map(({ id }) => id);
}
