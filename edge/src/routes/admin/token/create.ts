import { GatewayError } from '@parley/protos/errors';
import { hash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { OWNER_RIGHTS, type Rights } from '../../../config/roles.ts';
import { type TokenSubject } from '../../../identity/admin-tokens.ts';
import { isUsableServiceAccount, serviceAccountProof } from '../../../identity/token-rights-resolver.ts';
import { findServiceAccountRecord } from '../../../store/service-accounts.ts';
import { type adminToken } from '../../../wire/admin-token.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { issueAdminToken } from '../../issue-admin-token.ts';
import { type Input, type Reply } from '../../route.ts';

const credential = z.string().min(1).max(256);

/** The body of a token request: the operator key, or the id and the secret of a service account. */
export const createAdminTokenBody = z
  .object({
    grant_type: z.literal('client_credentials').optional(),
    operator_key: credential.optional(),
    client_id: uuid.optional().meta({ type: 'string', format: 'uuid', description: 'Of a service account.' }),
    client_secret: credential.optional(),
  })
  .refine(isOneOfTwo, 'give either operator_key, or client_id and client_secret')
  .meta({ id: 'TokenRequest' });

type TokenRequest = z.output<typeof createAdminTokenBody>;

function isOneOfTwo({
  operator_key,
  client_id,
  client_secret,
}: Partial<Record<'operator_key' | 'client_id' | 'client_secret', string>>): boolean {
  const [hasId, hasSecret] = [client_id !== undefined, client_secret !== undefined];
  return operator_key === undefined ? hasId && hasSecret : !hasId && !hasSecret;
}

interface Holder {
  subject: TokenSubject;
  rights: Rights;
}

/**
 * Exchanges a credential for a token. An address that has sent too many wrong ones is refused even with the right one: a different answer
 * would confirm a guess.
 */
export async function createAdminToken(
  input: Input<undefined, undefined, TokenRequest>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof adminToken>>> {
  const { body, req } = input;
  const { operatorKeys } = deps.identity;
  operatorKeys.requireAttemptAllowed(req);
  const holder = body.operator_key === undefined ? await findAccount(body, deps) : findOperator(body.operator_key, deps);
  if (!holder) {
    operatorKeys.countUnknownKey(req);
    operatorKeys.auditWrongKey(req);
    throw new GatewayError('SIGN_IN_FAILED', 'the operator key, or the id and secret of the service account, is not accepted');
  }
  return issueAdminToken(input, deps, holder.subject, holder.rights);
}

function findOperator(key: string, { identity: { operator } }: RouteDeps): Holder | undefined {
  return operator.matches(key)
    ? { subject: { kind: 'operator', id: null, proof: operator.createProof() }, rights: OWNER_RIGHTS }
    : undefined;
}

async function findAccount(
  { client_id: id = '', client_secret: secret = '' }: TokenRequest,
  { db }: RouteDeps,
): Promise<Holder | undefined> {
  const account = await findServiceAccountRecord(db, id);
  const digest = hash('sha256', secret, 'buffer');
  if (!account || !timingSafeEqual(digest, Buffer.from(account.digest, 'base64')) || !isUsableServiceAccount(account)) return undefined;
  return { subject: { kind: 'service_account', id: account.id, proof: serviceAccountProof(account) }, rights: account.rights };
}
