import { DEFAULT_WORKSPACE_ID, SANDBOX_ACCOUNTS } from '@parley/protos/bootstrap';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readActionDocument } from '../../cli/commands/actions/read-action-document.ts';
import { type GatewayClient, emptyResponseSchema, createGatewayClient } from '../../cli/gateway/client.ts';
import { connectionPath } from '../../cli/gateway/resolve-resources.ts';
import { actionSchema, connectionSchema } from '../../cli/gateway/response-schemas.ts';
import { type CompositionContext } from './composition-context.ts';
import { type StartReporter } from './start-reporter.ts';

const DOCUMENTS = fileURLToPath(new URL('../../../../docs/actions/', import.meta.url));
const WITHOUT_API = ['summarise-document', 'speak-text'] as const;
const TICKETS = { slug: 'open-ticket', label: 'tickets', source: 'tickets' } as const;

/** Addresses that the examples need. */
interface Places {
  /** Origin of the edge. */
  url: string;
  sandboxUrl: string;
}

/**
 * Publishes the documented actions for the default workspace, with a connection to the tickets API of the sandbox. This happens once for a
 * data folder, so that later changes of the operator stay. When the sandbox has another port, only the connection and the action that
 * contain its address are updated. A failure is logged, and the next start tries again.
 */
export async function publishExampleActions(
  { keys, folder, log }: CompositionContext,
  { url, sandboxUrl }: Places,
  report: StartReporter,
): Promise<void> {
  const record = join(folder.root, 'example-actions');
  const before = (await readFile(record, 'utf8').catch(() => '')).trim();
  if (before === sandboxUrl) return;
  report.step(before ? 'Connecting the example action to the sandbox again' : 'Publishing the example actions');
  const gateway = createGatewayClient({ url, credential: { kind: 'operator', operatorKey: keys.operatorKey } });
  try {
    await (before ? follow(gateway, before, sandboxUrl) : publishAll(gateway, sandboxUrl));
    await writeFile(record, `${sandboxUrl}\n`, { mode: 0o600 });
  } catch (err) {
    log.warn({ err }, 'the example actions were not published; the next start tries again');
  }
}

async function publishAll(gateway: GatewayClient, sandboxUrl: string): Promise<void> {
  for (const slug of WITHOUT_API) await publish(gateway, slug, {});
  await publish(gateway, TICKETS.slug, { [TICKETS.source]: sandboxUrl });
  await gateway.call('PUT', `/admin/v1/action-cohort/${DEFAULT_WORKSPACE_ID}`, emptyResponseSchema);
  const connections = await gateway.listAll('/admin/v1/connections', connectionSchema);
  if (connections.some(({ label }) => label === TICKETS.label)) return;
  const body = {
    provider: 'http-api',
    label: TICKETS.label,
    base_url: sandboxUrl,
    api_key: `sk-${SANDBOX_ACCOUNTS[0].account}`,
  };
  await gateway.call('POST', '/admin/v1/connections', connectionSchema, { body });
}

async function follow(gateway: GatewayClient, before: string, sandboxUrl: string): Promise<void> {
  const connections = await gateway.listAll('/admin/v1/connections', connectionSchema);
  const tickets = connections.find(({ label, base_url }) => label === TICKETS.label && base_url === before);
  // Without the connection, the operator has removed the example.
  if (!tickets) return;
  await gateway.call('PATCH', connectionPath(tickets), connectionSchema, { body: { base_url: sandboxUrl } });
  await publish(gateway, TICKETS.slug, { [TICKETS.source]: sandboxUrl });
}

async function publish(gateway: GatewayClient, slug: string, servers: Record<string, string>): Promise<void> {
  await gateway.call('POST', '/admin/v1/actions', actionSchema, {
    body: await readActionDocument(join(DOCUMENTS, `${slug}.arazzo.yaml`), servers),
  });
}
