import { uuidv7 } from '@parley/kit/ids/uuid';
import { hash, randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';
import pg from 'pg';
import { browserAfter } from './browser-session.ts';
import { type TestFixture } from './harness.ts';
import { type PersonFacts, type SignedIn, signInAs } from './people.ts';
import { type SessionBody, sql } from './visitors.ts';

/** What a factor that was added is answered with. */
export interface AddedFactor {
  session: SessionBody;
  recovery_codes: string[] | null;
}

/** A person whose authenticator app is confirmed. */
export interface WithTotp {
  person: SignedIn;
  secret: string;
  recoveryCodes: string[];
}

/** The code that an app shows whose clock is off by some seconds. */
export function codeOf(secret: string, offSeconds = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + offSeconds });
}

/** Stores a person with an open session, and confirms an authenticator app. */
export async function signInWithTotp(fixture: TestFixture, facts: PersonFacts = {}): Promise<WithTotp> {
  const weak = await signInAs(fixture, facts);
  const { secret } = (await weak.call<{ secret: string }>('POST', '/me/v1/second-factors/totp')).body;
  const answer = await weak.call<AddedFactor>('POST', '/me/v1/second-factors/totp/confirm', { code: codeOf(secret) });
  if (answer.status !== 200) throw new Error(`not confirmed: ${JSON.stringify(answer.body)}`);
  const person = browserAfter(fixture.edge.url, answer, answer.body.session);
  await forgetCodes(fixture, person);
  return { person, secret, recoveryCodes: answer.body.recovery_codes ?? [] };
}

/** Lets the code of this moment be used again, as if time had passed. */
export async function forgetCodes(fixture: TestFixture, { userId }: Pick<SignedIn, 'userId'>): Promise<void> {
  await sql(fixture, 'UPDATE edge.totp_devices SET last_step = 0 WHERE user_id = $1', [userId]);
}

/** Forgets failed attempts, as if a day had passed. */
export async function forgetAttempts(fixture: TestFixture): Promise<void> {
  await sql(fixture, 'DELETE FROM edge.sign_in_failures');
}

/** Makes the time pass after which a shown factor is not fresh any more. */
export async function letFactorAge(fixture: TestFixture, { sessionId }: SignedIn): Promise<void> {
  const then = `now() - interval '11 minutes'`;
  await sql(fixture, `UPDATE edge.sessions SET created_at = ${then}, factor_shown_at = ${then} WHERE id = $1`, [sessionId]);
}

/** The token of a sign-in whose password was right and whose second factor is awaited. */
export async function awaitFactor(fixture: TestFixture, { userId }: Pick<SignedIn, 'userId'>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await sql(
    fixture,
    `INSERT INTO edge.one_time_tokens (id, kind, digest, user_id, expires_at) VALUES ($1, 'second_factor', $2, $3, now() + interval '5 minutes')`,
    [uuidv7(), hash('sha256', token, 'buffer'), userId],
  );
  return token;
}

/** Everything that the edge stores, as text. */
export async function dump(fixture: TestFixture): Promise<string> {
  const tables = await sql<{ name: string }>(
    fixture,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'edge'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(
      fixture,
      `SELECT t::text || ' ' || to_jsonb(t)::text AS row FROM edge.${pg.escapeIdentifier(name)} t`,
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
