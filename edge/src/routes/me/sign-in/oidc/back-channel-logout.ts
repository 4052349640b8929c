import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { LOGOUT_TOKEN_REPLAY_MS } from '../../../../identity/oidc/logout-token.ts';
import { auditStatement } from '../../../../store/audit-log.ts';
import { runQuery } from '../../../../store/client.ts';
import { applyProviderLogout } from '../../../../store/oidc-logouts.ts';
import { type slugParams } from '../../../admin/fields.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';

/** The body that a provider sends. */
export const backChannelLogoutBody = z.object({ logout_token: z.string().min(1).max(32_000) }).meta({ id: 'LogoutRequest' });

type LogoutInput = Input<z.output<typeof slugParams>, undefined, z.output<typeof backChannelLogoutBody>>;

/** Revokes the sessions that have ended at their provider, at every edge (OpenID Connect Back-Channel Logout 1.0). */
export async function logOutByProvider({ req, params, body, principal }: LogoutInput, deps: RouteDeps): Promise<Reply<undefined>> {
  const { db, identity, log } = deps;
  const { requestId } = principal;
  try {
    const { provider, ...logout } = await identity.oidc.verifyLogout(params.slug, body.logout_token);
    const stored = { ...logout, providerId: provider.id, expiresAt: new Date(Date.now() + LOGOUT_TOKEN_REPLAY_MS) };
    const ended = await runQuery(
      db.$transaction(async (tx) => {
        const sessions = await applyProviderLogout(tx, stored);
        if (!sessions) throw new GatewayError('INVALID_REQUEST', 'the logout token was used before', { param: 'logout_token' });
        for (const { id, userId } of sessions) {
          const by = { actor: 'system', address: identity.clientAddress(req), requestId } as const;
          await auditStatement(tx, { ...by, action: 'session.end', targetId: id, details: { provider: provider.slug, user: userId } });
        }
        return sessions;
      }),
    );
    for (const { id } of ended) invalidateEverywhere(deps, id);
    return { body: undefined, headers: { 'cache-control': 'no-store' } };
  } catch (error) {
    if (error instanceof GatewayError && error.condition === 'INVALID_REQUEST')
      log.info({ requestId, reason: error.message, err: error.cause }, 'logout by a provider refused');
    throw error;
  }
}
