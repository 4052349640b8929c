import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { findOidcProvider } from '../../../store/oidc-providers.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** The result of the test of a provider. */
export const oidcProviderTestResult = z
  .object({
    ok: z.boolean(),
    code: z.string().nullable().meta({ description: 'The error code a sign-in would get; null when all is well.' }),
    message: z.string(),
    keys: z.int().meta({ description: 'Public keys that it publishes.' }),
  })
  .meta({ id: 'OidcProviderTest' });

/** Reads the discovery document and the keys of a provider. A failure is a result with `ok: false`, not an error. */
export async function testOidcProvider(
  { principal, params }: Input<z.output<typeof idParams>>,
  { db, identity }: RouteDeps,
): Promise<Reply<z.input<typeof oidcProviderTestResult>>> {
  const provider = await findOidcProvider(db, identity.oidc.environmentSlugs, { id: params.id });
  if (!provider) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'id' });
  const body = await identity.oidc.test(provider).then(
    ({ keys }) => ({ ok: true, code: null, message: 'the discovery document and the keys can be read', keys }),
    (error: unknown) => ({ ok: false, code: toGatewayError(error).code, message: toGatewayError(error).message, keys: 0 }),
  );
  await writeAudit(db, toAuditEntry(principal, { action: 'oidc_provider.test', targetId: params.id, details: { ok: body.ok } }));
  return { body };
}
