import { uuidv7 } from '@parley/kit/ids/uuid';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { GatewayError } from '@parley/protos/errors';
import { randomBytes } from 'node:crypto';
import { type Database, runQuery } from '../store/client.ts';
import { insertOneTimeToken, consumeOneTimeToken } from '../store/one-time-tokens.ts';
import { newToken, tokenDigest } from './tokens.ts';

/** The purpose of a challenge, and the login session that requested it; null for a visitor. */
export interface ChallengeUse {
  purpose: 'register' | 'assert';
  sessionId: string | null;
}

/** What the challenges need: the database and the encryption. */
interface ChallengeDeps {
  db: Database;
  identity: { secrets: SecretBox };
}

const LIFETIME_MS = 5 * 60_000;
const BYTES = 32;

/** Creates a challenge that expires after five minutes; returns it with the token that refers to it. */
export async function createChallenge(
  { db, identity }: ChallengeDeps,
  use: ChallengeUse,
): Promise<{ token: string; challenge: Uint8Array<ArrayBuffer> }> {
  const [id, token, challenge] = [uuidv7(), newToken(), Uint8Array.from(randomBytes(BYTES))];
  const digest = tokenDigest(token);
  const state = identity.secrets.seal(digest, JSON.stringify({ ...use, challenge: Buffer.from(challenge).toString('base64url') }));
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  await runQuery(insertOneTimeToken(db, { id, kind: 'passkey', digest, state: Uint8Array.from(state), expiresAt }));
  return { token, challenge };
}

/**
 * Consumes a challenge, whether or not the response to it is valid; returns it in base64url.
 * @throws GatewayError LINK_NOT_VALID for one that was used, has expired, or was created for another purpose or session
 */
export async function consumeChallenge({ db, identity }: ChallengeDeps, token: string, use: ChallengeUse): Promise<string> {
  const digest = tokenDigest(token);
  const taken = await runQuery(consumeOneTimeToken(db, 'passkey', digest));
  if (!taken?.state) throw notValid();
  const known = JSON.parse(identity.secrets.open(digest, taken.state)) as ChallengeUse & { challenge: string };
  if (known.purpose !== use.purpose || known.sessionId !== use.sessionId) throw notValid();
  return known.challenge;
}

function notValid(): GatewayError {
  return new GatewayError('LINK_NOT_VALID', 'the challenge was used or has expired; ask for a new one', { param: 'token' });
}
