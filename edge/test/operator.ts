import { waitFor } from '@parley/kit/testing/wait-for';
import { call, type TestFixture, OPERATOR_KEY } from './harness.ts';

/** A key as its creation answers it. */
export interface CreatedKey {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  expires_at: string | null;
  created_at: string;
  key: string;
}

/** A token as it is answered. */
export interface AdminToken {
  access_token: string;
  token_type: string;
  expires_in: number;
  expires_at: string;
}

const SPARE_MS = 60_000;
const tokens = new WeakMap<TestFixture, Promise<AdminToken>>();

/** The token of the operator at an edge; it is made once and used until a minute before its end. */
export async function operatorToken(fixture: TestFixture): Promise<string> {
  let token = tokens.get(fixture);
  if (!token || Date.parse((await token).expires_at) - Date.now() < SPARE_MS) {
    token = exchange(fixture, { operator_key: OPERATOR_KEY });
    tokens.set(fixture, token);
  }
  return (await token).access_token;
}

/** Exchanges a credential for a token. */
export async function exchange(fixture: TestFixture, credential: Record<string, string>): Promise<AdminToken> {
  const answer = await waitFor(async () => {
    const one = await call<AdminToken>(`${fixture.edge.url}/admin/v1/token`, { method: 'POST', body: credential });
    // The first query of an edge may meet a busy machine.
    return one.status === 503 ? undefined : one;
  });
  if (answer.status !== 200) throw new Error(`POST token: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Asks the operator's surface and expects the status. */
export async function operate<T>(fixture: TestFixture, method: string, path: string, body?: unknown, expected = 200): Promise<T> {
  const key = await operatorToken(fixture);
  const answer = await call<T>(`${fixture.edge.url}/admin/v1/${path}`, { method, key, ...(body !== undefined && { body }) });
  if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a key through the operator's surface. */
export function createKey(fixture: TestFixture, fields: Record<string, unknown> = {}): Promise<CreatedKey> {
  return operate<CreatedKey>(fixture, 'POST', 'keys', { name: 'test', ...fields }, 201);
}
