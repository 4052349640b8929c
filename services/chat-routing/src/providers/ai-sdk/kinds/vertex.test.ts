import { describe, expect, it } from '@jest/globals';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { beforeEachOnSdkStage, data, refusing, type SdkStage } from '../../../../test/sdk-stage.ts';
import { type ReceivedRequest, type ResponseScript, streaming } from '../../testing/upstream.ts';
import { vertex } from './vertex.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ANSWER =
  data({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, index: 0 }] }) +
  data({ candidates: [{ finishReason: 'STOP', index: 0 }], usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 } });
const isToken = ({ path }: ReceivedRequest) => path === '/token';
const token: ResponseScript = refusing(200, { access_token: 'ya29.one', expires_in: 3600, token_type: 'Bearer' });
const either =
  (answer: ResponseScript, tokens: ResponseScript = token): ResponseScript =>
  (received) =>
    isToken(received) ? tokens(received) : answer(received);

describe('Gemini on Vertex AI over the AI SDK', () => {
  let stage: SdkStage;
  beforeEachOnSdkStage(vertex, (entered) => {
    stage = entered;
    const key = { type: 'service_account', project_id: 'acme', client_email: 'parley@acme.example', private_key_id: 'k1' };
    const secret = JSON.stringify({ ...key, private_key: privateKey, token_uri: `${stage.upstream.url}/token` }, null, 2);
    stage.account = { account: 'europe-west4', path: '', secret };
  });

  it('asks for a token with the key of the service account, and keeps it', async () => {
    const over = { model: 'gemini-2.5-flash' };
    expect(await stage.run(either(streaming(ANSWER)), over)).toMatchObject({
      text: 'Hello',
      outcomes: [{ usage: { tokensIn: 3, tokensOut: 4 } }],
    });
    await stage.run(either(streaming(ANSWER)), over);
    const [asked, turn] = stage.upstream.received;
    expect(stage.upstream.received.filter(isToken)).toHaveLength(1);
    expect(turn).toMatchObject({
      path: '/v1beta1/projects/acme/locations/europe-west4/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers: { authorization: 'Bearer ya29.one' },
    });
    const assertion = new URLSearchParams(asked?.bytes.toString()).get('assertion') ?? '';
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      ...{ iss: 'parley@acme.example', aud: `${stage.upstream.url}/token`, scope: 'https://www.googleapis.com/auth/cloud-platform' },
    });
  });

  it('takes a project that is not that of the key', async () => {
    stage.account.account = 'other-project/global';
    await stage.run(either(streaming(ANSWER)));
    expect(stage.upstream.received[1]?.path).toContain('/projects/other-project/locations/global/');
  });

  it('reports a key that was removed', async () => {
    const gone = refusing(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    await expect(stage.failed(either(streaming(ANSWER), gone))).resolves.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    stage.upstream.script = either(streaming(ANSWER), gone);
    await expect(stage.provider.test(stage.upstreamAccount)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
  });

  it('proves the key where it is connected; its models are named', async () => {
    stage.upstream.script = either(streaming());
    await expect(stage.provider.connect(stage.upstreamAccount)).resolves.toMatchObject({ models: [] });
    expect(stage.upstream.received.map(({ path }) => path)).toEqual(['/token']);
  });

  it.each([
    ['sk-1', /JSON key of a service account/],
    ['{"type":"authorized_user"}', /type, client_email, private_key, project_id/],
    [JSON.stringify({ type: 'service_account', client_email: 'a', private_key: 'b', project_id: 'c' }), /private_key cannot be read/],
  ])('refuses %j as a key', async (secret, message) => {
    const account = { ...stage.upstreamAccount, secret };
    await expect(stage.provider.connect(account)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'api_key' });
    await expect(stage.provider.connect(account)).rejects.toThrow(message);
  });

  it.each([
    ['europe-west4', 'https://europe-west4-aiplatform.googleapis.com'],
    ['my-project/global', 'https://aiplatform.googleapis.com'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
  ])('knows where %s is', (account, url) => {
    const { baseUrl } = stage.provider.traits;
    expect(typeof baseUrl === 'function' && baseUrl(account)).toBe(url);
  });

  it.each(['', 'Europe!', 'a/b/c', 'evil.example.com/x'])('refuses %j as an account', (account) => {
    const { baseUrl } = stage.provider.traits;
    expect(() => typeof baseUrl === 'function' && baseUrl(account)).toThrow(/location of Vertex AI/);
  });
});
