import { GatewayError } from '@parley/protos/errors';
import { LRUCache } from 'lru-cache';
import { createHash, createSign } from 'node:crypto';
import { z } from 'zod';
import { type HttpPools } from '../../http-pools.ts';
import { type UpstreamConnection } from '../../upstream-connection.ts';
import { toPlainObject } from '../error-message.ts';
import { toResponseError } from '../failures.ts';
import { readServiceAccount, type ServiceAccount } from './service-account.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFE_S = 3_600;
/** A new token is requested when the cached one expires sooner than this, the longest time a turn may take. */
const SPARE_MS = 600_000;
const MAX_TOKENS = 1_000;

const answer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().default(LIFE_S) });

/** Cache of OAuth access tokens of service accounts (RFC 7523, https://developers.google.com/identity/protocols/oauth2/service-account). */
export class VertexTokenCache {
  readonly #pools: HttpPools;
  readonly #tokens = new LRUCache<string, Promise<string>>({ max: MAX_TOKENS });

  constructor(pools: HttpPools) {
    this.#pools = pools;
  }

  /** Returns a cached or new token for a connection; concurrent turns share one request. Throws a coded error. */
  getToken(connection: UpstreamConnection): Promise<string> {
    return this.#tokens.get(toPrivateKey(connection)) ?? this.requestToken(connection);
  }

  /** Requests a new token. Throws a coded error, VALIDATION_ERROR for a secret that is not the key of a service account. */
  requestToken(connection: UpstreamConnection): Promise<string> {
    const key = toPrivateKey(connection);
    const token = this.#ask(readServiceAccount(connection.secret)).then(({ access_token: value, expires_in: seconds }) => {
      const ttl = seconds * 1000 - SPARE_MS;
      if (ttl > 0) this.#tokens.set(key, token, { ttl });
      else this.#tokens.delete(key);
      return value;
    });
    this.#tokens.set(key, token);
    token.catch(() => this.#tokens.delete(key));
    return token;
  }

  async #ask(account: ServiceAccount): Promise<z.infer<typeof answer>> {
    const form = Buffer.from(new URLSearchParams({ grant_type: GRANT, assertion: toAssertion(account) }).toString());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const upload = { size: form.length, bytes: once(form) };
    const body = await this.#pools.requestJson(account.tokenUrl, '', { method: 'POST', headers, upload }, notAdmitted);
    const read = answer.safeParse(body);
    if (!read.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no access token');
    return read.data;
  }
}

/** Maps Google's 400 for a removed key or a deleted service account to 401. */
function notAdmitted(status: number, body: unknown, retryAfter?: string | string[]): GatewayError {
  const isKey = status === 400 && ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(String(toPlainObject(body).error));
  return toResponseError({ status: isKey ? 401 : status, body, retryAfter });
}

function toAssertion({ email, key, keyId, tokenUrl }: ServiceAccount): string {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId && { kid: keyId }) };
  const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat: now, exp: now + LIFE_S };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

function toPrivateKey({ id, secret }: UpstreamConnection): string {
  return `${id} ${createHash('sha256').update(secret).digest('base64')}`;
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
