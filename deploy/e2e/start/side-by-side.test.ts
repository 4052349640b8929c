import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { adminToken } from '../harness/admin-token.ts';
import { ask, said } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { START_MS, startParley, STOP_MS } from '../harness/parley.ts';

const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const LIFE_MS = START_MS + STOP_MS;

describe('two Parleys', () => {
  it('run side by side, each with its own keys', async () => {
    const [one, other] = await Promise.all([startParley(), startParley({ topology: 'separate' })]);
    try {
      expect(new Set([one.url, other.url, one.run.sandbox_url, other.run.sandbox_url]).size).toBe(4);
      for (const gateway of [one, other]) expect(said(await ask(gateway, { say: 'say here' })).text).toBe('here');
      expect((await ask(one, { key: other.apiKey })).status).toBe(401);
      expect((await call(one, 'GET', '/admin/v1/keys', { key: await adminToken(other) })).status).toBe(401);
    } finally {
      await Promise.all([one.dispose(), other.dispose()]);
    }
  });

  it(
    'share a database and a broker that run already',
    async () => {
      const one = await startParley({ env: { PARLEY_SECRET_KEYS: SECRET_KEYS } });
      try {
        const env = { DATABASE_URL: one.run.database_url, NATS_URL: one.run.nats_url, PARLEY_SECRET_KEYS: SECRET_KEYS };
        const other = await startParley({ env });
        try {
          const programs = other
            .family()
            .map(({ commandLine }) => commandLine)
            .join('\n');
          expect(programs).not.toMatch(/\/postgres |nats-server/);
          expect(other.run).toMatchObject({ database_url: one.run.database_url, nats_url: one.run.nats_url });
          expect((await call(other, 'GET', '/v1/models', { key: one.apiKey })).status).toBe(200);
        } finally {
          await other.dispose();
        }
      } finally {
        await one.dispose();
      }
    },
    2 * LIFE_MS,
  );
});
