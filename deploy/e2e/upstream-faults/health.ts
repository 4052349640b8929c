import { z } from 'zod';
import { ask, said } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { type Parley } from '../harness/parley.ts';
import { onlyAccount, type Tenant } from '../harness/tenant.ts';

const connections = z.array(z.object({ label: z.string(), status: z.string(), health: z.string(), cooldown_seconds: z.int().optional() }));

/** Begins a conversation that remembers a blue door. */
export async function begin(house: Parley, { apiKey }: Tenant): Promise<string> {
  return said(await ask(house, { key: apiKey, say: 'remember the blue door' })).conversation;
}

/** What the workspace sees of an account. */
export async function connectionOf(house: Parley, { apiKey }: Tenant, label: string): Promise<z.infer<typeof connections>[number]> {
  const { json, text } = await call(house, 'GET', '/v1/connections', { key: apiKey });
  const connection = connections.parse(json).find((candidate) => candidate.label === label);
  if (!connection) throw new Error(`no connection ${label}: ${text}`);
  return connection;
}

/** Clears what is known against the only account of a tenant, as the operator does it. */
export async function clearAccount(house: Parley, tenant: Tenant): Promise<void> {
  const { connectionId } = onlyAccount(tenant);
  const { text, json } = await new Operator(() => house).call(
    'POST',
    `/connections/${connectionId}/test?workspace_id=${tenant.workspaceId}`,
  );
  if (!z.object({ ok: z.literal(true) }).safeParse(json).success) throw new Error(`the account does not work: ${text}`);
}
