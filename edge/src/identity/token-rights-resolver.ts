import { GatewayError } from '@parley/protos/errors';
import { hash } from 'node:crypto';
import { OWNER_RIGHTS, type Rights } from '../config/roles.ts';
import { type CacheTimes, RecordCache } from '../keys/record-cache.ts';
import { type ServiceAccountRecord } from '../store/service-accounts.ts';
import { type SessionRecord } from '../store/sessions.ts';
import { type TokenClaims, type TokenSubject } from './admin-tokens.ts';
import { type OperatorCredential } from './operator-credential.ts';
import { type Sessions } from './sessions.ts';

/** Dependencies of `TokenRightsResolver`: how the records of holders are read. */
export interface TokenRightsResolverDeps {
  findSession: (id: string) => Promise<SessionRecord | null>;
  findServiceAccount: (id: string) => Promise<ServiceAccountRecord | null>;
  sessions: Pick<Sessions, 'isOpen'>;
  operator: Pick<OperatorCredential, 'isCurrent'>;
  times?: Partial<CacheTimes> | undefined;
}

/** Resolves a token to the current rights of its holder: the stored record decides, not the claims of the token (ADR 0056). */
export class TokenRightsResolver {
  readonly #deps: TokenRightsResolverDeps;
  readonly #sessions: RecordCache<SessionRecord>;
  readonly #accounts: RecordCache<ServiceAccountRecord>;

  constructor(deps: TokenRightsResolverDeps) {
    this.#deps = deps;
    const times = deps.times && { times: deps.times };
    this.#sessions = new RecordCache({
      find: deps.findSession,
      subject: 'session',
      idsOf: ({ sessionId, userId, rights }) => [sessionId, userId, ...rights.memberships.map(({ workspaceId }) => workspaceId)],
      ...times,
    });
    this.#accounts = new RecordCache({
      find: deps.findServiceAccount,
      subject: 'service account',
      idsOf: ({ id, workspaceId }) => (workspaceId === null ? [id] : [id, workspaceId]),
      ...times,
    });
  }

  /**
   * Returns the current rights of the holder of a token.
   * @throws GatewayError INVALID_ADMIN_TOKEN, SECOND_FACTOR_REQUIRED or SERVICE_UNAVAILABLE
   */
  async resolveRights({ kind, id, sessionId, proof }: TokenClaims): Promise<Rights> {
    switch (kind) {
      case 'operator':
        if (!this.#deps.operator.isCurrent(proof)) throw ended('the operator key has changed');
        return OWNER_RIGHTS;
      case 'user':
        return this.#ofPerson(id, sessionId);
      case 'service_account':
        return this.#ofAccount(id, proof);
    }
  }

  /** Removes the cached records of a session, a person, a service account or a workspace with this id. */
  invalidate(id: string): void {
    this.#sessions.invalidate(id);
    this.#accounts.invalidate(id);
  }

  /** Removes all cached records; called when change notices may have been missed. */
  clearCache(): void {
    this.#sessions.clear();
    this.#accounts.clear();
  }

  async #ofPerson(id: string | null, sessionId: string | undefined): Promise<Rights> {
    const session = sessionId === undefined ? null : await this.#sessions.get(sessionId);
    if (!session || session.userId !== id || !this.#deps.sessions.isOpen(session)) throw ended('the session that it comes from has ended');
    if (session.requiresSecondFactor && !session.isStrong) {
      throw new GatewayError('SECOND_FACTOR_REQUIRED', 'set up a second factor first');
    }
    return session.rights;
  }

  async #ofAccount(id: string | null, proof: string | undefined): Promise<Rights> {
    const account = id === null ? null : await this.#accounts.get(id);
    if (!account || !isUsableServiceAccount(account) || serviceAccountProof(account) !== proof) {
      throw ended('the service account was disabled or deleted, has expired, or has another secret');
    }
    return account.rights;
  }
}

/** True for a service account that is active and has not expired. */
export function isUsableServiceAccount({ status, expiresAt }: ServiceAccountRecord): boolean {
  return status === 'active' && (expiresAt === null || expiresAt.getTime() > Date.now());
}

/** Returns the proof in a token that identifies the secret of the account. It does not reveal the secret, which has 256 random bits. */
export function serviceAccountProof({ digest }: Pick<ServiceAccountRecord, 'digest'>): NonNullable<TokenSubject['proof']> {
  return hash('sha256', digest, 'base64url').slice(0, 22);
}

function ended(problem: string): GatewayError {
  return new GatewayError('INVALID_ADMIN_TOKEN', `the token is not valid any more: ${problem}`);
}
