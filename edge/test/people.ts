import { uuidv7 } from '@parley/kit/ids/uuid';
import { createHmac, hash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { type InstanceRole, type WorkspaceRole } from '../src/config/roles.ts';
import { call, type Answer, type TestFixture } from './harness.ts';

/** A person with an open login session, as a browser has it. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  /** `Cookie` header. */
  cookie: string;
  csrf: string;
  /** Sends a request as the browser of this person does, with `Cookie`, `Origin` and the CSRF token. */
  call<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
}

/** Who a person is. */
export interface PersonFacts {
  email?: string;
  instanceRole?: InstanceRole;
  /** By workspace id. */
  roles?: Readonly<Record<string, WorkspaceRole>>;
  requiresSecondFactor?: boolean;
  isStrong?: boolean;
}

/** Stores a person and an open session, without the operations of sign-in. */
export async function signInAs(fixture: TestFixture, facts: PersonFacts = {}): Promise<SignedIn> {
  const [userId, sessionId, token] = [uuidv7(), uuidv7(), randomBytes(32).toString('base64url')];
  const client = new pg.Client({ connectionString: fixture.config.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO edge.users (id, display_name, email, instance_role, requires_second_factor) VALUES ($1, 'A person', $2, $3, $4)`,
      [userId, facts.email ?? `${userId}@example.com`, facts.instanceRole ?? null, facts.requiresSecondFactor ?? false],
    );
    for (const [workspaceId, role] of Object.entries(facts.roles ?? {})) {
      await client.query('INSERT INTO edge.memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)', [workspaceId, userId, role]);
    }
    await client.query(
      `INSERT INTO edge.sessions (id, digest, user_id, method, is_strong, address, user_agent, expires_at)
       VALUES ($1, $2, $3, 'password', $4, '127.0.0.1', 'test', now() + interval '1 day')`,
      [sessionId, hash('sha256', token, 'buffer'), userId, facts.isStrong ?? false],
    );
  } finally {
    await client.end();
  }
  const cookie = `parley_session=${token}`;
  const csrf = createHmac('sha256', token).update('csrf').digest('base64url');
  const { url } = fixture.edge;
  return {
    ...{ userId, sessionId, cookie, csrf },
    call: (method, path, body, headers) =>
      call(`${url}${path}`, { method, body, headers: { cookie, origin: url, 'x-csrf-token': csrf, ...headers } }),
  };
}
