import { z } from 'zod';
import { ask, said } from '../../harness/chat.ts';
import { call } from '../../harness/http.ts';
import { Operator } from '../../harness/operator.ts';
import { type Gateway } from '../../harness/parley.ts';
import { onlyAccount, type Tenant } from '../../harness/tenant.ts';

const connections = z.array(z.object({ label: z.string(), status: z.string(), health: z.string(), cooldown_seconds: z.int().optional() }));

/** Begins a conversation that remembers a blue door. */
export async function begin(gateway: Gateway, { apiKey }: Tenant): Promise<string> {
  return said(await ask(gateway, { key: apiKey, say: 'remember the blue door' })).conversation;
}

/** What the workspace sees of an account. */
export async function connectionOf(gateway: Gateway, { apiKey }: Tenant, label: string): Promise<z.infer<typeof connections>[number]> {
  const { json, text } = await call(gateway, 'GET', '/v1/connections', { key: apiKey });
  const connection = connections.parse(json).find((candidate) => candidate.label === label);
  if (!connection) throw new Error(`no connection ${label}: ${text}`);
  return connection;
}

/** Clears what is known against the only account of a tenant, as the operator does it: by connecting it anew. */
export async function clearAccount(gateway: Gateway, tenant: Tenant): Promise<void> {
  const { connectionId, credentials } = onlyAccount(tenant);
  const path = `/connections/${connectionId}?workspace_id=${tenant.workspaceId}`;
  const { text, json } = await new Operator(() => gateway).call('PATCH', path, credentials);
  if (!z.object({ status: z.literal('active') }).safeParse(json).success) throw new Error(`the account does not work: ${text}`);
}
