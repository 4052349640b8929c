import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { clientId, domains, groupClaim, type RoleMapping, roleMappings, scopes } from '../../../config/oidc-fields.ts';
import { NO_RIGHTS } from '../../../config/roles.ts';
import { type Permission } from '../../../identity/permissions.ts';
import { requirePermission } from '../../../identity/require-permission.ts';
import { type Principal } from '../../../middleware/principal.ts';
import { findOidcProvider, type StoredOidcProvider } from '../../../store/oidc-providers.ts';
import { listWorkspaceNames } from '../../../store/workspaces.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';

/** The fields of a provider that can be changed at any time. */
export const providerFields = {
  name,
  client_id: clientId,
  client_secret: z.string().min(1).max(2_000).nullable().meta({ description: 'Never shown again; null for a public client.' }),
  scopes: scopes.meta({ description: '`openid` is always asked for.' }),
  group_claim: groupClaim
    .nullable()
    .meta({ description: 'The claim with the groups; a path with dots such as `realm_access.roles` is followed.' }),
  role_mappings: roleMappings.meta({
    description:
      'What members of a group become. In the workspaces that they name the provider decides at each sign-in; roles of other groups end there.',
  }),
  allow_sign_up: z.boolean().meta({ description: 'Whether a person who is not known gets an account.' }),
  allowed_domains: domains.meta({ description: 'Domains of verified emails that may sign up; empty for all.' }),
};

/**
 * Rejects mappings that grant more than the caller may grant, or that name unknown workspaces.
 * @throws GatewayError PERMISSION_DENIED or VALIDATION_ERROR
 */
export async function requireValidRoleMappings(principal: Principal, mappings: readonly RoleMapping[], { db }: RouteDeps): Promise<void> {
  requireGrantableRoles(principal, mappings);
  const ids = [...new Set(mappings.flatMap(({ workspace_id: id }) => id ?? []))];
  const known = ids.length === 0 ? new Map() : await listWorkspaceNames(db, ids);
  const index = mappings.findIndex(({ workspace_id: id }) => id !== undefined && !known.has(id));
  const param = `role_mappings.${index}.workspace_id`;
  if (index >= 0) throw new GatewayError('VALIDATION_ERROR', `${param}: no such workspace`, { param });
}

/**
 * Rejects a caller who may not grant the roles of mappings directly: changing the claim or the client of a mapping also grants them.
 * @throws GatewayError PERMISSION_DENIED
 */
export function requireGrantableRoles(principal: Principal, mappings: readonly RoleMapping[]): void {
  const { actor = { rights: NO_RIGHTS } } = principal;
  for (const { instance_role: instance, workspace_id: id, workspace_role: role } of mappings) {
    const needed: Permission[] = [];
    if (instance !== undefined) needed.push('instance_roles.write');
    if (role !== undefined) needed.push(role === 'owner' ? 'owners.write' : 'members.write');
    for (const permission of needed) requirePermission({ ...principal, actor } as Principal, permission, id);
  }
}

/** Returns a provider that the API may change. @throws GatewayError NOT_FOUND, or VALIDATION_ERROR for one of the environment */
export async function requireChangeableProvider({ db, identity }: RouteDeps, id: string): Promise<StoredOidcProvider> {
  const provider = await findOidcProvider(db, identity.oidc.environmentSlugs, { id });
  if (!provider) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'id' });
  if (!provider.isFromEnvironment) return provider;
  throw new GatewayError('VALIDATION_ERROR', 'the provider is set by the environment', { param: 'id' });
}

/** Returns the slugs of the environment's providers that have a client secret. */
export function listSlugsWithClientSecret({ config }: Pick<RouteDeps, 'config'>): string[] {
  return config.oidcProviders.filter(({ clientSecret }) => clientSecret !== null).map(({ slug }) => slug);
}
