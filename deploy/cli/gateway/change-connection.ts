import { type GatewayClient } from './client.ts';
import { connectionPath, resolveConnection } from './resolve-resources.ts';
import { connectionSchema, type Connection } from './response-schemas.ts';

/** Changes the connection with this label or id, and gives it as it is then. @throws CliError */
export async function changeConnection(
  gateway: GatewayClient,
  { name, workspace }: { name: string; workspace: string | undefined },
  change: object,
): Promise<Connection> {
  const found = await resolveConnection(gateway, name, workspace);
  return gateway.call('PATCH', connectionPath(found), connectionSchema, { query: { workspace_id: workspace }, body: change });
}
