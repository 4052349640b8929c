import pg from 'pg';
import { PasswordHasher } from '../src/identity/password-hasher.ts';
import { type Answer, call, type TestFixture } from './harness.ts';
import { operatorToken } from './operator.ts';
import { type PersonFacts, type SignedIn, signInAs } from './people.ts';

/** A good password. */
export const PASSWORD = 'four quiet harbour lamps';
/** What a session answers with. */
export interface SessionBody {
  id: string;
  user: { id: string; display_name: string; email: string };
  rights: { instance_role: string | null; memberships: { workspace_id: string; role: string }[] };
  csrf_token: string;
  is_strong: boolean;
  second_factor_required: boolean;
}

const hashed = new PasswordHasher().hash(PASSWORD);

/** Runs one statement in the database of a fixture. */
export async function sql<R extends pg.QueryResultRow>({ config }: TestFixture, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Sends what a page of the gateway sends for a visitor who is not signed in. */
export function visit<T = unknown>(
  { edge }: Pick<TestFixture, 'edge'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  return call<T>(`${edge.url}${path}`, { method, body, headers: { origin: edge.url, ...headers } });
}

/** Sends what the operator sends, whatever is answered. */
export async function operate<T = unknown>(fixture: TestFixture, method: string, path: string, body?: unknown): Promise<Answer<T>> {
  return call<T>(`${fixture.edge.url}${path}`, { method, body, key: await operatorToken(fixture) });
}

/** Stores a person with `PASSWORD`; there is one open session of the person already. */
export async function withPassword(fixture: TestFixture, facts: PersonFacts = {}): Promise<SignedIn & { email: string }> {
  const person = await signInAs(fixture, facts);
  const [row] = await sql<{ email: string }>(fixture, 'UPDATE edge.users SET password_hash = $2 WHERE id = $1 RETURNING email', [
    person.userId,
    await hashed,
  ]);
  return { ...person, email: row?.email ?? '' };
}

/** The cookie that an answer sets, as the next request sends it; empty where it removes the cookie. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  const [pair = ''] = (headers.get('set-cookie') ?? '').split(';');
  return pair.endsWith('=') ? '' : pair;
}

/** The token at the end of a link. */
export function tokenOf(url: string): string {
  return new URL(url).hash.slice(1);
}

/** `[status, code]` of each answer, with how often it came. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const count: Record<string, number> = {};
  for (const { status, body } of answers) {
    const { error } = (body ?? {}) as { error?: { code: string } };
    const key = error ? `${status} ${error.code}` : String(status);
    count[key] = (count[key] ?? 0) + 1;
  }
  return count;
}
