import { isUuid } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { INSTANCE_ROLES, WORKSPACE_ROLES } from './roles.ts';

const MAX_URL = 500;
const MAX_MAPPINGS = 200;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for a loopback host. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * True for an acceptable issuer: an https URL without query, fragment and credentials; http only on a loopback host (OpenID Connect
 * Discovery 1.0, section 3).
 */
export function isSafeIssuer(value: string): boolean {
  if (value.length > MAX_URL || !URL.canParse(value) || value.trim() !== value) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(value);
  const isBare = [search, hash, username, password].every((part) => part === '') && !/[?#]/.test(value);
  return isBare && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)));
}

/** The issuer URL of a provider. */
export const issuer = z.string().refine(isSafeIssuer, 'must be an https URL without query (http only on loopback)');

/** The `client_id` of the gateway at the provider. */
export const clientId = z
  .string()
  .min(1, 'must not be empty')
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters');

/** The requested OAuth scopes; `openid` is always added. */
export const scopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be scopes of OAuth 2.0'))
  .max(30)
  .transform((given) => [...new Set(['openid', ...given])]);

/** The claim with the groups of a user: its name, or a path with dots such as `realm_access.roles`. */
export const groupClaim = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** Email domains whose users may sign up, in lower case. */
export const domains = z
  .array(
    z
      .string()
      .max(253)
      .transform((text) => text.toLowerCase())
      .refine((text) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(text), 'must be domains such as example.com'),
  )
  .max(100);

/** Grants the members of a group a role in a workspace, a role for the whole gateway, or both. */
export const roleMapping = z
  .strictObject({
    group: z.string().min(1).max(300),
    workspace_id: z
      .string()
      .refine(isUuid, 'must be a UUID')
      .transform((id) => id.toLowerCase())
      .meta({ type: 'string', format: 'uuid' })
      .optional(),
    workspace_role: z.enum(WORKSPACE_ROLES).optional(),
    instance_role: z.enum(INSTANCE_ROLES).optional(),
  })
  .refine(({ workspace_id: id, workspace_role: role }) => (id === undefined) === (role === undefined), {
    error: 'workspace_id and workspace_role belong together',
    path: ['workspace_role'],
  })
  .refine(({ workspace_role: role, instance_role: instance }) => role !== undefined || instance !== undefined, {
    error: 'must have workspace_role or instance_role',
    path: ['instance_role'],
  })
  .meta({ id: 'OidcRoleMapping' });

/** The role mappings of a provider. */
export const roleMappings = z.array(roleMapping).max(MAX_MAPPINGS);

/** A role mapping of a provider. */
export type RoleMapping = z.output<typeof roleMapping>;
