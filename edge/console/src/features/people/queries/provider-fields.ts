import { z } from 'zod';
import { type components } from '../../../api/generated/admin.ts';
import { type OidcProvider } from './people.ts';

type Schemas = components['schemas'];

/** The target of a mapping to a role for the whole gateway. */
export const GATEWAY_MAPPING_TARGET = 'gateway';

const text = z.string().trim();
const needed = text.min(1, 'required');

const mapping = z
  .object({ group: needed.max(300, 'tooLong'), place: z.string(), role: z.enum(['owner', 'admin', 'member', 'viewer', 'auditor']) })
  .refine(({ place, role }) => (place === GATEWAY_MAPPING_TARGET ? role !== 'member' && role !== 'viewer' : role !== 'auditor'), {
    path: ['role'],
    message: 'required',
  });

/** The schema of the form of a provider. */
export const providerFieldsSchema = z.object({
  slug: needed.max(64, 'tooLong').regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'slug'),
  name: needed.max(200, 'tooLong'),
  issuer: z.url({ protocol: /^https?$/, error: 'url' }),
  clientId: needed.max(500, 'tooLong'),
  /** Empty: the stored one stays. */
  clientSecret: z.string().max(2000, 'tooLong'),
  /** With spaces between them. */
  scopes: needed,
  groupClaim: text.max(200, 'tooLong'),
  mappings: z.array(mapping),
  allowSignUp: z.boolean(),
  /** With commas between them. */
  domains: text,
});
export type ProviderFields = z.output<typeof providerFieldsSchema>;

/** Returns the fields of a provider; without one, the defaults of a new one. */
export function toProviderFields(provider: OidcProvider | undefined): ProviderFields {
  return {
    slug: provider?.slug ?? '',
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    clientId: provider?.client_id ?? '',
    clientSecret: '',
    scopes: (provider?.scopes ?? ['openid', 'profile', 'email']).join(' '),
    groupClaim: provider?.group_claim ?? '',
    mappings: (provider?.role_mappings ?? []).map(toMappingFields),
    allowSignUp: provider?.allow_sign_up ?? false,
    domains: (provider?.allowed_domains ?? []).join(', '),
  };
}

function toMappingFields({ group, workspace_id: id, workspace_role: role, instance_role: instanceRole }: Schemas['OidcRoleMapping']) {
  return instanceRole === undefined
    ? { group, place: id ?? GATEWAY_MAPPING_TARGET, role: role ?? 'member' }
    : ({ group, place: GATEWAY_MAPPING_TARGET, role: instanceRole } as const);
}

/** Converts the fields to those that the gateway accepts for a new provider and for a change. */
export function toProviderChange(fields: ProviderFields) {
  return {
    name: fields.name,
    client_id: fields.clientId,
    ...(fields.clientSecret !== '' && { client_secret: fields.clientSecret }),
    scopes: fields.scopes.split(/\s+/).filter(Boolean),
    group_claim: fields.groupClaim === '' ? null : fields.groupClaim,
    role_mappings: fields.mappings.map(toMapping),
    allow_sign_up: fields.allowSignUp,
    allowed_domains: fields.domains.split(/[\s,]+/).filter(Boolean),
  } satisfies Schemas['OidcProviderChange'];
}

function toMapping({ group, place, role }: ProviderFields['mappings'][number]): Schemas['OidcRoleMapping'] {
  type Mapping = Schemas['OidcRoleMapping'];
  if (place === GATEWAY_MAPPING_TARGET) return { group, instance_role: role as NonNullable<Mapping['instance_role']> };
  return { group, workspace_id: place, workspace_role: role as NonNullable<Mapping['workspace_role']> };
}
