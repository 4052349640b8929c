import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportSPKI, SignJWT } from 'jose';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { NO_RIGHTS } from '../config/roles.ts';
import { AdminTokens, CLOCK_TOLERANCE_MS, ADMIN_TOKEN_LIFETIME_MS } from './admin-tokens.ts';

const INSTANCE = '01900000-0000-7000-8000-000000000001';
const ISSUER = `urn:uuid:${INSTANCE}`;
const KID = 'one';
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const MINUTES_MS = 60_000;

const keys = generateKeyPairSync('ed25519');
const others = generateKeyPairSync('ed25519');

function tokensAt(now: number, instance = INSTANCE): AdminTokens {
  return new AdminTokens({
    keys: {
      getSigningKey: async () => ({ id: KID, key: keys.privateKey }),
      findVerificationKey: async (id) => (id === KID ? keys.publicKey : undefined),
    },
    instanceId: async () => instance,
    now: () => now,
  });
}

const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const CLAIMS = {
  ...{ iss: ISSUER, aud: ISSUER, sub: 'u', jti: 't', kind: 'user', sid: 's' },
  ...{ iat: NOW / 1_000, exp: NOW / 1_000 + 600 },
};
const HEADER = { alg: 'EdDSA', kid: KID, typ: 'at+jwt' };

/** A token with any claims and header, properly signed. */
function signed(claims: object, header: { alg: string } = HEADER, key: KeyObject = keys.privateKey): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);
}

describe('tokens of the control plane', () => {
  let token: string;
  let head: string;
  let payload: string;
  let signature: string;
  beforeAll(async () => {
    token = (await tokensAt(NOW).issue({ kind: 'user', id: 'u', sessionId: 's' }, { instanceRole: 'owner', memberships: [] })).token;
    [head = '', payload = '', signature = ''] = token.split('.');
  });

  const refused = (given: string, at = NOW) =>
    expect(tokensAt(at).verify(given)).rejects.toMatchObject({ condition: 'INVALID_ADMIN_TOKEN' });

  it('say whom they are for, with the roles of their making for who reads them', async () => {
    expect(await tokensAt(NOW).verify(token)).toEqual({ kind: 'user', id: 'u', sessionId: 's', tokenId: expect.any(String) });
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      ...{ iss: ISSUER, aud: ISSUER, sub: 'u', sid: 's', jti: expect.any(String) },
      ...{ roles: { instance_role: 'owner', memberships: [] }, iat: NOW / 1_000, exp: (NOW + ADMIN_TOKEN_LIFETIME_MS) / 1_000 },
    });
  });

  it('stay within a header, however many workspaces a person has', async () => {
    const memberships = Array.from({ length: 5_000 }, () => ({ workspaceId: INSTANCE, role: 'viewer' as const }));
    const issued = await tokensAt(NOW).issue({ kind: 'user', id: 'u', sessionId: 's' }, { ...NO_RIGHTS, memberships });
    expect(issued.token.length).toBeLessThan(8_192);
    await tokensAt(NOW).verify(issued.token);
  });

  it.each([2, -2])('are taken by an edge whose clock differs by %i minutes', async (minutes) => {
    await tokensAt(NOW + minutes * MINUTES_MS).verify(token);
    await tokensAt(NOW + ADMIN_TOKEN_LIFETIME_MS + 2 * MINUTES_MS).verify(token);
  });

  it('end after ten minutes and what clocks may differ by', async () => {
    await refused(token, NOW + ADMIN_TOKEN_LIFETIME_MS + CLOCK_TOLERANCE_MS + 1_000);
    await refused(token, NOW - CLOCK_TOLERANCE_MS - 1_000);
  });

  it('cannot be forged with alg none', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      await refused(`${encode({ ...HEADER, alg })}.${payload}.`);
      await refused(`${encode({ ...HEADER, alg })}.${payload}.${signature}`);
    }
    await refused(`${head}.${payload}.`);
  });

  it('cannot be forged with the public key as the secret of an HMAC', async () => {
    const secrets = [
      await exportSPKI(keys.publicKey),
      keys.publicKey.export({ format: 'der', type: 'spki' }),
      keys.publicKey.export({ format: 'jwk' }).x ?? '',
    ];
    for (const secret of secrets) {
      const input = `${encode({ ...HEADER, alg: 'HS256' })}.${payload}`;
      await refused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    }
  });

  it.each([
    ['another algorithm', { ...HEADER, alg: 'Ed25519' }],
    ['an unknown key', { ...HEADER, kid: 'two' }],
    ['no key', { alg: 'EdDSA', typ: 'at+jwt' }],
    ['another type', { ...HEADER, typ: 'JWT' }],
    ['no type', { alg: 'EdDSA', kid: KID }],
    ['a key of its own', { ...HEADER, jwk: others.publicKey.export({ format: 'jwk' }) }],
    ['an address of keys', { ...HEADER, jku: 'https://evil.example/jwks.json' }],
    ['a certificate', { ...HEADER, x5u: 'https://evil.example/cert.pem' }],
    ['a nested token', { ...HEADER, cty: 'JWT' }],
    ['a critical extension', { ...HEADER, crit: ['exp'] }],
  ])('are refused with a header that names %s', async (_name, header) => {
    await refused(`${encode(header)}.${payload}.${signature}`);
  });

  it('are refused with members twice in the header, whichever is taken', async () => {
    await refused(`${encode('{"alg":"EdDSA","kid":"one","typ":"at+jwt","alg":"none"}')}.${payload}.`);
    await refused(`${encode('{"alg":"none","kid":"one","typ":"at+jwt","alg":"EdDSA"}')}.${payload}.${signature}`);
    await refused(`${encode('{"alg":"EdDSA","kid":"one","typ":"at+jwt","kid":"two"}')}.${payload}.${signature}`);
  });

  it('are refused with a payload that was changed', async () => {
    const changed = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), sub: 'another-user' };
    await refused(`${head}.${encode(changed)}.${signature}`);
  });

  it('are refused with the signature of another key', async () => {
    await refused(await signed(CLAIMS, HEADER, others.privateKey));
  });

  it.each([
    ['another audience', { aud: 'urn:uuid:01900000-0000-7000-8000-000000000002' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['no end', { exp: undefined }],
    ['an end in a year', { iat: NOW / 1_000 - 3_600, exp: NOW / 1_000 + 31_536_000 }],
    ['no beginning', { iat: undefined }],
    ['no subject', { sub: undefined }],
    ['no id', { jti: undefined }],
    ['another kind', { kind: 'root' }],
  ])('are refused with %s, although the key is right', async (_name, change) => {
    await expect(tokensAt(NOW).verify(await signed(CLAIMS))).resolves.toMatchObject({ id: 'u' });
    await refused(await signed({ ...CLAIMS, ...change }));
  });

  it('of one gateway are nothing to another, even with the same keys', async () => {
    const other = tokensAt(NOW, '01900000-0000-7000-8000-000000000002');
    await expect(other.verify(token)).rejects.toMatchObject({ condition: 'INVALID_ADMIN_TOKEN' });
  });

  it.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d.e', '..', `${'a'.repeat(9_000)}.b.c`, encode(HEADER)])('are no other text (%#)', (text) =>
    refused(text),
  );

  it('are refused in the JSON form of a signature', async () => {
    await refused(JSON.stringify({ protected: head, payload, signature }));
  });
});
