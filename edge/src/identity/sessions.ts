import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { type EdgeConfig } from '../config.ts';
import { type LastUsedRecorder } from '../keys/last-used-recorder.ts';
import { type CacheTimes, RecordCache } from '../keys/record-cache.ts';
import { type ClientAddressResolver } from '../middleware/client-address.ts';
import { type Actor, EMPTY_PRINCIPAL, type Principal } from '../middleware/principal.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import {
  findSession,
  insertSession,
  replaceSessionToken,
  type SessionAuthentication,
  type SessionRecord,
  type DatabaseOrTransaction,
} from '../store/sessions.ts';
import { requireSameOrigin, isSafeMethod } from './same-origin.ts';
import { SessionCookie } from './session-cookie.ts';
import { deriveCsrfToken, newToken, tokenDigest } from './tokens.ts';

/** Dependencies of `Sessions`. */
export interface SessionsDeps {
  find: (digest: string) => Promise<SessionRecord | null>;
  config: Pick<EdgeConfig, 'publicUrl' | 'sessionIdleMs' | 'sessionMaxMs'>;
  clientAddress: ClientAddressResolver;
  /** Records that a session was used. */
  lastSeen: Pick<LastUsedRecorder, 'record'>;
  times?: Partial<CacheTimes> | undefined;
}

/** A new or rotated session, as the response needs it. */
export interface StartedSession {
  record: SessionRecord;
  /** The value of `Set-Cookie`. */
  cookie: string;
  csrfToken: string;
}

const MAX_USER_AGENT = 300;

/** Starts login sessions, and authenticates requests by their session cookie. */
export class Sessions {
  readonly #cookie: SessionCookie;
  readonly #cache: RecordCache<SessionRecord>;
  readonly #deps: SessionsDeps;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#cookie = new SessionCookie(deps.config);
    this.#cache = new RecordCache({
      find: deps.find,
      subject: 'session',
      idsOf: ({ sessionId, userId, rights }) => [sessionId, userId, ...rights.memberships.map(({ workspaceId }) => workspaceId)],
      ...(deps.times && { times: deps.times }),
    });
  }

  /**
   * Returns the signed-in person. Methods that change state also need the CSRF token of the session and an origin of this gateway.
   * @throws GatewayError SIGN_IN_REQUIRED, CSRF_REJECTED or SERVICE_UNAVAILABLE
   */
  async authenticate(req: IncomingMessage): Promise<Principal> {
    const token = this.#cookie.read(req);
    const record = await this.find(req);
    if (token === undefined || !record) throw new GatewayError('SIGN_IN_REQUIRED', 'sign in first');
    if (!isSafeMethod(req.method)) this.#assertIntended(req, token);
    this.#deps.lastSeen.record(record.sessionId);
    const principal = this.#toPrincipal(req, record);
    getRequestContext(req).principal = principal;
    return principal;
  }

  /**
   * Returns the open session of the cookie of a request, without a CSRF check; null when there is none.
   * @throws GatewayError SERVICE_UNAVAILABLE
   */
  async find(req: IncomingMessage): Promise<SessionRecord | null> {
    const token = this.#cookie.read(req);
    const record = token === undefined ? null : await this.#cache.get(tokenDigest(token));
    return record && this.isOpen(record) ? record : null;
  }

  /** Stores a new session in a transaction. Its token is always new, whatever cookie the request has, which prevents session fixation. */
  async start(tx: DatabaseOrTransaction, req: IncomingMessage, session: SessionAuthentication): Promise<StartedSession> {
    const { sessionMaxMs } = this.#deps.config;
    const token = newToken();
    const digest = tokenDigest(token);
    await insertSession(tx, {
      ...session,
      id: uuidv7(),
      digest,
      address: this.#deps.clientAddress(req),
      userAgent: (req.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
      expiresAt: new Date(Date.now() + sessionMaxMs),
    });
    return this.#begun(tx, token, digest);
  }

  /**
   * Replaces the token of the session of a request, in the transaction that changes its factors or rights, so that the old token no longer
   * works. The session keeps its id and its expiry.
   * @throws GatewayError SIGN_IN_REQUIRED when it has ended meanwhile
   */
  async rotate(tx: DatabaseOrTransaction, req: IncomingMessage, change: { isStrong?: true } = {}): Promise<StartedSession> {
    const before = this.#cookie.read(req);
    const token = newToken();
    const digest = tokenDigest(token);
    const isRenewed = before !== undefined && (await replaceSessionToken(tx, tokenDigest(before), { digest, ...change }));
    if (!isRenewed) throw new GatewayError('SIGN_IN_REQUIRED', 'sign in first');
    return this.#begun(tx, token, digest);
  }

  /** Returns the CSRF token of the session of a request; undefined without a cookie. */
  findCsrfToken(req: IncomingMessage): string | undefined {
    const token = this.#cookie.read(req);
    return token === undefined ? undefined : deriveCsrfToken(token);
  }

  /** Returns the `Set-Cookie` value that removes the cookie. */
  clearCookie(): string {
    return this.#cookie.toClearingCookie();
  }

  /** Removes the cached records of a session, a person or a workspace with this id. */
  invalidate(id: string): void {
    this.#cache.invalidate(id);
  }

  /** Removes all cached sessions; called when change notices may have been missed. */
  clearCache(): void {
    this.#cache.clear();
  }

  async #begun(tx: DatabaseOrTransaction, token: string, digest: string): Promise<StartedSession> {
    const record = await findSession(tx, digest);
    if (!record) throw new Error('a session that was stored cannot be read');
    return { record, cookie: this.#cookie.toSetCookie(token, record.expiresAt.getTime() - Date.now()), csrfToken: deriveCsrfToken(token) };
  }

  /** True for a session that is not revoked, expired or idle for too long, and whose user is active. */
  isOpen({ revokedAt, expiresAt, lastSeenAt, userStatus }: SessionRecord): boolean {
    const now = Date.now();
    const isIdle = lastSeenAt.getTime() + this.#deps.config.sessionIdleMs <= now;
    return revokedAt === null && expiresAt.getTime() > now && !isIdle && userStatus === 'active';
  }

  #assertIntended(req: IncomingMessage, token: string): void {
    if (req.headers['x-csrf-token'] !== deriveCsrfToken(token)) {
      throw new GatewayError('CSRF_REJECTED', 'send the X-CSRF-Token of this session', { param: 'X-CSRF-Token' });
    }
    requireSameOrigin(req, this.#deps.config);
  }

  #toPrincipal(req: IncomingMessage, session: SessionRecord): Principal {
    const { id, span } = getRequestContext(req);
    const actor: Actor = {
      kind: 'user',
      id: session.userId,
      sessionId: session.sessionId,
      address: this.#deps.clientAddress(req),
      rights: session.rights,
    };
    return { ...EMPTY_PRINCIPAL, userId: session.userId, requestId: id, span, actor, session };
  }
}
