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

/** Asks the operator's surface and expects the status. */
export async function operate<T>(fixture: TestFixture, method: string, path: string, body?: unknown, expected = 200): Promise<T> {
  const answer = await call<T>(`${fixture.edge.url}/admin/v1/${path}`, { method, key: OPERATOR_KEY, ...(body !== undefined && { body }) });
  if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a key through the operator's surface. */
export function createKey(fixture: TestFixture, fields: Record<string, unknown> = {}): Promise<CreatedKey> {
  return operate<CreatedKey>(fixture, 'POST', 'keys', { name: 'test', ...fields }, 201);
}
