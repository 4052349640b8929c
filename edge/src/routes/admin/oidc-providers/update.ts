import { z } from 'zod';
import { updateOidcProvider as update } from '../../../store/oidc-providers.ts';
import { activeStatus } from '../../../wire/admin.ts';
import { type oidcProvider, toOidcProvider } from '../../../wire/oidc-provider.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, hasDefinedField } from '../fields.ts';
import {
  requireValidRoleMappings,
  requireGrantableRoles,
  requireChangeableProvider,
  providerFields,
  listSlugsWithClientSecret,
} from './fields.ts';

/** The body of a change of a provider. */
export const updateOidcProviderBody = z
  .object({ ...providerFields, status: activeStatus })
  .partial()
  .refine(hasDefinedField, 'at least one field is required')
  .meta({ id: 'OidcProviderChange' });

type Change = z.output<typeof updateOidcProviderBody>;

/** Changes a provider; in effect from the next sign-in on. */
export async function updateOidcProvider(
  { principal, params, body }: Input<z.output<typeof idParams>, undefined, Change>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof oidcProvider>>> {
  const current = await requireChangeableProvider(deps, params.id);
  if (!isHarmless(body)) requireGrantableRoles(principal, current.roleMappings);
  if (body.role_mappings) await requireValidRoleMappings(principal, body.role_mappings, deps);
  const secret = body.client_secret;
  const change = {
    ...{ name: body.name, clientId: body.client_id, scopes: body.scopes, groupClaim: body.group_claim, roleMappings: body.role_mappings },
    clientSecret: typeof secret === 'string' ? Uint8Array.from(deps.identity.secrets.seal(params.id, secret)) : secret,
    allowsSignUp: body.allow_sign_up,
    allowedDomains: body.allowed_domains,
    status: body.status,
  };
  const details = { changed: Object.keys(body), ...(body.status !== undefined && { status: body.status }) };
  const audit = toAuditEntry(principal, { action: 'oidc_provider.update', targetId: params.id, details });
  return { body: toOidcProvider(await update(deps.db, params.id, change, audit), listSlugsWithClientSecret(deps)) };
}

/** True for changes that cannot grant a role: a new name, or a deactivation. */
function isHarmless(body: Change): boolean {
  return Object.entries(body).every(([field, value]) => field === 'name' || value === undefined || value === 'disabled');
}
