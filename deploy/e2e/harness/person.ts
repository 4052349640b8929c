import { createHmac, hash, randomBytes, randomUUID } from 'node:crypto';
import { query } from './database.ts';
import { type Answer, call, open, type Request } from './http.ts';
import { type Gateway } from './parley.ts';

/** A person with an open login session, as a browser has it. */
export interface Person {
  userId: string;
  email: string;
  sessionId: string;
  /** `Cookie` header. */
  cookie: string;
  csrf: string;
  /** Headers of a request that a page of the gateway sends. */
  headers: Record<string, string>;
  /** Sends a request as a page of the gateway does. */
  call(method: string, path: string, request?: Request): Promise<Answer>;
  /** The same; the body is the caller's to read. */
  open(method: string, path: string, request?: Request): Promise<Response>;
}

/** Who a person is. */
export interface PersonFacts {
  displayName?: string;
  instanceRole?: string;
  /** By workspace id. */
  roles?: Readonly<Record<string, string>>;
  requiresSecondFactor?: boolean;
}

/** Stores a person and an open session, without the operations of sign-in. */
export async function makePerson(gateway: Gateway, facts: PersonFacts = {}): Promise<Person> {
  const { displayName = 'Ada', instanceRole, roles = {}, requiresSecondFactor = false } = facts;
  const [userId, sessionId, token] = [randomUUID(), randomUUID(), randomBytes(32).toString('base64url')];
  const email = `${userId}@example.com`;
  await query(
    gateway,
    'INSERT INTO edge.users (id, display_name, email, instance_role, requires_second_factor) VALUES ($1, $2, $3, $4, $5)',
    [userId, displayName, email, instanceRole ?? null, requiresSecondFactor],
  );
  for (const [workspaceId, role] of Object.entries(roles)) {
    await query(gateway, 'INSERT INTO edge.memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)', [workspaceId, userId, role]);
  }
  await query(
    gateway,
    `INSERT INTO edge.sessions (id, digest, user_id, method, address, user_agent, expires_at)
     VALUES ($1, $2, $3, 'password', '127.0.0.1', 'test', now() + interval '1 day')`,
    [sessionId, hash('sha256', token, 'buffer'), userId],
  );
  const cookie = `parley_session=${token}`;
  const csrf = createHmac('sha256', token).update('csrf').digest('base64url');
  const headers = { cookie, origin: gateway.url, 'x-csrf-token': csrf };
  const signed = (request: Request = {}) => ({ ...request, headers: { ...headers, ...request.headers } });
  return {
    ...{ userId, email, sessionId, cookie, csrf, headers },
    call: (method, path, request) => call(gateway, method, path, signed(request)),
    open: (method, path, request) => open(gateway, method, path, signed(request)),
  };
}

/** The token of a sign-in of a person whose password was right and whose second factor is awaited. */
export async function awaitSecondFactor(gateway: Gateway, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await query(
    gateway,
    `INSERT INTO edge.one_time_tokens (id, kind, digest, user_id, expires_at)
     VALUES ($1, 'second_factor', $2, $3, now() + interval '5 minutes')`,
    [randomUUID(), hash('sha256', token, 'buffer'), userId],
  );
  return token;
}
