import { waitFor } from '@parley/kit/testing/wait-for';
import { ask } from './chat.ts';
import { type Gateway } from './parley.ts';
import { onlyAccount, type Tenant } from './tenant.ts';

/** Lets a turn find out what is wrong with the only account of a tenant; answers its id. */
export async function spoilAccount(gateway: Gateway, tenant: Tenant, fault: string): Promise<string> {
  const account = onlyAccount(tenant);
  await account.order({ fault });
  await ask(gateway, { key: tenant.apiKey });
  return account.connectionId;
}

/** Fails turns until the breaker of the only account of a tenant is open. */
export async function exhaustAccount(gateway: Gateway, tenant: Tenant): Promise<void> {
  await onlyAccount(tenant).order({ fault: 'server_error', count: 20 });
  await waitFor(async () => (await ask(gateway, { key: tenant.apiKey })).status === 503);
}
