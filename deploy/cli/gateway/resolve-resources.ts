import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { CliError } from '../cli-error.ts';
import { type GatewayClient } from './client.ts';
import {
  apiKeySchema,
  type ApiKey,
  connectionSchema,
  type Connection,
  oidcProviderSchema,
  type OidcProvider,
  projectSchema,
  type Project,
  serviceAccountSchema,
  type ServiceAccount,
  userSchema,
  type User,
  workspaceSchema,
  type Workspace,
} from './response-schemas.ts';

/** Returns the connection with this label or id. @throws CliError CONNECTION_NOT_FOUND */
export async function resolveConnection(gateway: GatewayClient, name: string, workspace: string | undefined): Promise<Connection> {
  const connections = await gateway.listAll('/admin/v1/connections', connectionSchema, { workspace_id: workspace });
  const found = connections.find(({ id, label }) => id === name || label === name);
  if (found) return found;
  const known = connections.map(({ label }) => label).join(', ');
  throw new CliError(`no connection has the label or id ${JSON.stringify(name)}${known ? `; there are: ${known}` : ''}`, {
    code: 'CONNECTION_NOT_FOUND',
  });
}

/** Returns the keys that the operator can act for: the named one, or all of the workspace. @throws CliError */
export async function listKeysToActFor(gateway: GatewayClient, name: string | undefined, workspace: string | undefined): Promise<ApiKey[]> {
  if (name !== undefined) return [await resolveKey(gateway, name)];
  return gateway.listAll('/admin/v1/keys', apiKeySchema, { workspace_id: workspace ?? DEFAULT_WORKSPACE_ID });
}

/** Returns the key with this id or shown prefix. @throws CliError when none or several have it */
export async function resolveKey(gateway: GatewayClient, name: string): Promise<ApiKey> {
  const keys = await gateway.listAll('/admin/v1/keys', apiKeySchema, { search: name });
  const found = keys.filter(({ id, prefix }) => id === name || prefix === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only) throw new CliError(`${found.length} keys begin with ${JSON.stringify(name)}; give the id`, { code: 'AMBIGUOUS_KEY' });
  throw new CliError(`no key has the id or prefix ${JSON.stringify(name)}; see: parley keys list`, { code: 'KEY_NOT_FOUND' });
}

/** Returns the upstream project with this slug or id. @throws CliError when none or several have it */
export async function resolveProject(gateway: GatewayClient, name: string, workspace: string | undefined): Promise<Project> {
  const projects = await gateway.listAll('/admin/v1/projects', projectSchema, { workspace_id: workspace });
  const found = projects.filter(({ id, slug }) => id === name || slug === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only)
    throw new CliError(`${found.length} projects have the slug ${JSON.stringify(name)}; give the id`, { code: 'AMBIGUOUS_PROJECT' });
  throw new CliError(`no project has the slug or id ${JSON.stringify(name)}; see: parley projects list`, { code: 'PROJECT_NOT_FOUND' });
}

/** Returns the workspace with this name or id. @throws CliError when none or several have it */
export async function resolveWorkspace(gateway: GatewayClient, name: string): Promise<Workspace> {
  const workspaces = await gateway.listAll('/admin/v1/workspaces', workspaceSchema, { search: name });
  const found = workspaces.filter((one) => one.id === name || one.name === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  const said = only ? `${found.length} workspaces have the name` : 'no workspace has the name or id';
  const hint = only ? 'give the id' : 'see: parley workspaces list';
  throw new CliError(`${said} ${JSON.stringify(name)}; ${hint}`, { code: only ? 'AMBIGUOUS_WORKSPACE' : 'WORKSPACE_NOT_FOUND' });
}

/** Returns the person with this email or id. @throws CliError USER_NOT_FOUND */
export async function resolveUser(gateway: GatewayClient, name: string): Promise<User> {
  const users = await gateway.listAll('/admin/v1/users', userSchema, { search: name });
  const found = users.find(({ id, email }) => id === name || email === name.toLowerCase());
  if (found) return found;
  throw new CliError(`no person has the email or id ${JSON.stringify(name)}; see: parley users list`, { code: 'USER_NOT_FOUND' });
}

/** Returns the service account with this name or id. @throws CliError when none or several have it */
export async function resolveServiceAccount(gateway: GatewayClient, name: string): Promise<ServiceAccount> {
  const accounts = await gateway.listAll('/admin/v1/service-accounts', serviceAccountSchema);
  const found = accounts.filter((one) => one.id === name || one.name === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  const said = only ? `${found.length} service accounts have the name` : 'no service account has the name or id';
  const hint = only ? 'give the id' : 'see: parley service-accounts list';
  throw new CliError(`${said} ${JSON.stringify(name)}; ${hint}`, {
    code: only ? 'AMBIGUOUS_SERVICE_ACCOUNT' : 'SERVICE_ACCOUNT_NOT_FOUND',
  });
}

/** Returns the OpenID Connect provider with this slug or id. @throws CliError OIDC_PROVIDER_NOT_FOUND */
export async function resolveOidcProvider(gateway: GatewayClient, name: string): Promise<OidcProvider> {
  const providers = await gateway.listAll('/admin/v1/oidc-providers', oidcProviderSchema);
  const found = providers.find(({ id, slug }) => id === name || slug === name);
  if (found) return found;
  throw new CliError(`no provider has the slug or id ${JSON.stringify(name)}; see: parley oidc-providers list`, {
    code: 'OIDC_PROVIDER_NOT_FOUND',
  });
}

/** Returns the only workspace of a gateway. @throws CliError when there are several */
export async function requireOnlyWorkspace(gateway: GatewayClient): Promise<Workspace> {
  const [only, ...others] = await gateway.listAll('/admin/v1/workspaces', workspaceSchema);
  if (only && others.length === 0) return only;
  throw new CliError('there are several workspaces; give the name or id of one (see: parley workspaces list)', {
    code: 'AMBIGUOUS_WORKSPACE',
  });
}

/** Returns the names of all workspaces, by id. */
export async function listWorkspaceNames(gateway: GatewayClient): Promise<ReadonlyMap<string, string>> {
  return new Map((await gateway.listAll('/admin/v1/workspaces', workspaceSchema)).map(({ id, name }) => [id, name]));
}

/** Path of a connection, with the workspace it is looked for in. */
export function connectionPath({ id }: Pick<Connection, 'id'>, rest = ''): string {
  return `/admin/v1/connections/${encodeURIComponent(id)}${rest}`;
}
