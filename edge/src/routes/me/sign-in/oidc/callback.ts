import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { hasTwoFactors } from '../../../../identity/oidc/claims.ts';
import { type VerifiedSignIn } from '../../../../identity/oidc/oidc.ts';
import { signInSubject, type SubjectSignInResult, linkSubject } from '../../../../identity/oidc/sign-in-subject.ts';
import { auditStatement } from '../../../../store/audit-log.ts';
import { runQuery } from '../../../../store/client.ts';
import { requireNotLoggedOut, type ProviderSession } from '../../../../store/oidc-logouts.ts';
import { type slugParams } from '../../../admin/fields.ts';
import { toAuditEntry } from '../../../audit-entry.ts';
import { type RouteDeps } from '../../../deps.ts';
import { invalidateEverywhere } from '../../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../../route.ts';
import { beginSession, type SignInProof } from '../../begin-session.ts';
import { withErrorPage } from './with-error-page.ts';

const text = z.string().max(8_000).optional();

/** Query parameters of the redirect from a provider. */
export const oidcCallbackQuery = z.object({ code: text, state: text, iss: text, error: text });

type CallbackInput = Input<z.output<typeof slugParams>, z.output<typeof oidcCallbackQuery>>;

/** Finishes a sign-in, or the linking of an identity, and redirects the browser to its return path. */
export function finishOidcSignIn(input: CallbackInput, deps: RouteDeps): Promise<Reply<undefined>> {
  const { req, params, query } = input;
  return withErrorPage(req, deps, async () => {
    const answer = new URLSearchParams(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined));
    const proven = await deps.identity.oidc.finish(req, params.slug, answer);
    const headers = proven.pending.link ? await link(input, deps, proven) : await signIn(input, deps, proven);
    return { body: undefined, headers: { ...headers, location: proven.pending.returnTo } };
  });
}

async function signIn(input: CallbackInput, deps: RouteDeps, proven: VerifiedSignIn) {
  let admitted: SubjectSignInResult | undefined;
  const { headers } = await beginSession(input, deps, async (tx) => {
    admitted = await signInSubject(tx, proven);
    await requireNotLoggedOut(tx, toProviderSession(proven));
    return toSignIn(deps, proven, admitted);
  });
  if (admitted?.roleChange) invalidateEverywhere(deps, admitted.userId);
  return headers;
}

function toSignIn(
  { identity }: RouteDeps,
  { provider, claims, idToken }: VerifiedSignIn,
  { userId, isNew, roleChange }: SubjectSignInResult,
): SignInProof {
  const sealed = Uint8Array.from(identity.secrets.seal(userId, idToken));
  const by = { provider: provider.slug };
  const changes = [
    ...(isNew ? [{ action: 'user.sign_up', targetId: userId, details: by }] : []),
    ...(roleChange
      ? [{ action: 'user.roles', targetId: userId, details: { ...by, before: roleChange.before, after: roleChange.after } }]
      : []),
  ];
  const { sub: oidcSubject, sid: oidcSid } = claims;
  const proof = { oidcSubject, ...(oidcSid !== undefined && { oidcSid }), providerId: provider.id, idToken: sealed };
  return { userId, method: 'oidc', isStrong: hasTwoFactors(claims), ...proof, changes };
}

function toProviderSession({ provider, issuer, claims: { sub, sid, iat = 0 } }: VerifiedSignIn): ProviderSession {
  return { providerId: provider.id, issuer, subject: sub, sid, issuedAt: new Date(iat * 1_000) };
}

/** Links the identity; the session must be the one that started it. @throws GatewayError OIDC_REFUSED */
async function link({ req, principal }: CallbackInput, deps: RouteDeps, proven: VerifiedSignIn) {
  const { db, identity } = deps;
  const session = await identity.sessions.find(req);
  const { sessionId } = proven.pending.link ?? {};
  if (!session || session.sessionId !== sessionId) throw new GatewayError('OIDC_REFUSED', 'sign in, and begin again');
  const { userId, rights } = session;
  const actor = { kind: 'user', id: userId, sessionId, address: identity.clientAddress(req), rights } as const;
  const details = { provider: proven.provider.slug };
  await runQuery(
    db.$transaction(async (tx) => {
      await linkSubject(tx, userId, proven);
      await auditStatement(tx, toAuditEntry({ ...principal, actor }, { action: 'identity.link', targetId: userId, details }));
    }),
  );
  return { 'cache-control': 'no-store' };
}
