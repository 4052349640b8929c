import { commaSeparatedList } from '@parley/kit/config/fields';
import { ConfigError, type Env } from '@parley/kit/config/read-config';
import { z } from 'zod';
import { clientId, domains, groupClaim, isSafeIssuer, roleMappings, type RoleMapping, scopes } from './oidc-fields.ts';

/** An OpenID Connect provider that the environment configures. */
export interface OidcProviderSettings {
  /** Identifies the provider in paths. */
  slug: string;
  /** Display name. */
  name: string;
  issuer: string;
  clientId: string;
  /** Null for a public client, which has no secret. */
  clientSecret: string | null;
  scopes: readonly string[];
  groupClaim: string | null;
  roleMappings: readonly RoleMapping[];
  allowsSignUp: boolean;
  allowedDomains: readonly string[];
}

const FIELDS = [
  'ISSUER',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'NAME',
  'SCOPES',
  'GROUP_CLAIM',
  'ROLE_MAPPINGS',
  'ALLOW_SIGN_UP',
  'ALLOWED_DOMAINS',
] as const;
const PREFIX = 'PARLEY_OIDC_';
const VARIABLE = new RegExp(`^${PREFIX}([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(${FIELDS.join('|')})$`);
const MAX_SLUG = 64;

const SCHEMA = z.object({
  ISSUER: z.string().refine(isSafeIssuer, 'must be an https URL without query (http only on loopback)'),
  CLIENT_ID: clientId,
  CLIENT_SECRET: z.string().max(2_000, 'must have at most 2000 characters').optional(),
  NAME: z.string().trim().max(200, 'must have at most 200 characters').optional(),
  SCOPES: z.string().default('openid profile email').transform(toWords).pipe(scopes),
  GROUP_CLAIM: groupClaim.optional(),
  ROLE_MAPPINGS: z.string().default('[]').transform(parsed).pipe(roleMappings),
  ALLOW_SIGN_UP: z.enum(['true', 'false'], 'must be true or false').default('false'),
  ALLOWED_DOMAINS: z.string().default('').pipe(commaSeparatedList).pipe(domains),
});

/**
 * Reads the providers of the environment, sorted by slug: `PARLEY_OIDC_<SLUG>_ISSUER` and so on.
 * @throws ConfigError with one line that names the invalid variable, without its value
 */
export function readOidcProviders(env: Env): OidcProviderSettings[] {
  const bySlug = new Map<string, Record<string, string>>();
  for (const [variable, value = ''] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || value.trim() === '') continue;
    const [, name, field] = VARIABLE.exec(variable) ?? [];
    if (name === undefined || field === undefined || name.length > MAX_SLUG) {
      throw new ConfigError(`bad configuration: ${variable} must be ${PREFIX}<SLUG>_ and one of ${FIELDS.join(', ')}`);
    }
    bySlug.set(name, { ...bySlug.get(name), [field]: value });
  }
  const providers = [...bySlug].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, fields]) => toProvider(name, fields));
  refuseSharedIssuer(providers);
  return providers;
}

function toProvider(name: string, fields: Record<string, string>): OidcProviderSettings {
  const result = SCHEMA.safeParse(fields);
  if (!result.success) throw new ConfigError(`bad configuration: ${complaint(name, fields, result.error.issues)}`);
  const { data } = result;
  const slug = name.toLowerCase().replaceAll('_', '-');
  return {
    slug,
    name: data.NAME ?? slug,
    issuer: data.ISSUER,
    clientId: data.CLIENT_ID,
    clientSecret: data.CLIENT_SECRET ?? null,
    scopes: data.SCOPES,
    groupClaim: data.GROUP_CLAIM ?? null,
    roleMappings: data.ROLE_MAPPINGS,
    allowsSignUp: data.ALLOW_SIGN_UP === 'true',
    allowedDomains: data.ALLOWED_DOMAINS,
  };
}

function complaint(name: string, fields: Record<string, string>, [issue]: readonly z.core.$ZodIssue[]): string {
  const [field = '', ...inside] = (issue?.path ?? []).map(String);
  const variable = `${PREFIX}${name}_${field}`;
  const message = issue?.message ?? 'is not valid';
  if (fields[field] === undefined) return `${variable} is not set (${message})`;
  return `${variable} ${inside.length > 0 ? `at ${inside.join('.')}: ${message}` : message}`;
}

function refuseSharedIssuer(providers: readonly OidcProviderSettings[]): void {
  const shared = providers.find(({ issuer }, index) => providers.slice(0, index).some((other) => other.issuer === issuer));
  if (!shared) return;
  const variable = `${PREFIX}${shared.slug.toUpperCase().replaceAll('-', '_')}_ISSUER`;
  throw new ConfigError(`bad configuration: ${variable} is the issuer of another provider`);
}

function toWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function parsed(text: string, context: z.core.$RefinementCtx): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}
