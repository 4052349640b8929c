import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { openBrowser } from '../../local/testing/browser.ts';
import { call } from '../harness/http.ts';
import { awaitSecondFactor, makePerson } from '../harness/person.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { addAuthenticator, makePasskey, type PageAnswer, send, usePasskey } from './browser-passkeys.ts';

const SLOW_MS = 120_000;

interface Begun {
  token: string;
  options: object;
}
interface Session {
  user: { id: string };
  csrf_token: string;
  is_strong: boolean;
}

describe('passkeys in a browser', () => {
  inBothTopologies((gateway) => {
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let site: string;
    let forgetPasskeys: () => Promise<unknown>;
    beforeAll(async () => {
      browser = await openBrowser();
      site = gateway().url.replace('127.0.0.1', 'localhost');
      context = await browser.newContext();
      page = await context.newPage();
      await page.goto(`${site}/livez`);
      forgetPasskeys = await addAuthenticator(page);
    }, SLOW_MS);
    afterAll(async () => browser.close());
    beforeEach(async () => {
      await forgetPasskeys();
      await context.clearCookies();
      await page.goto(`${site}/livez`);
    }, SLOW_MS);

    /** Stores a person and gives the browser a session. */
    const signIn = async (): Promise<string> => {
      const { userId, cookie } = await makePerson(gateway());
      await context.addCookies([{ name: 'parley_session', value: cookie.slice(cookie.indexOf('=') + 1), url: site }]);
      return userId;
    };
    const session = async () => (await send(page, 'GET', '/me/v1/session')).body as Session;
    const begin = async (path: string, csrf?: string) => (await send(page, 'POST', path, undefined, csrf)).body as Begun;
    /** Adds a passkey to the signed-in person. */
    const register = async (): Promise<PageAnswer> => {
      const { csrf_token: csrf } = await session();
      const { token, options } = await begin('/me/v1/passkeys/options', csrf);
      return send(page, 'POST', '/me/v1/passkeys', { token, name: 'This browser', response: await makePasskey(page, options) }, csrf);
    };
    const answerChallenge = async () => {
      const { token, options } = await begin('/me/v1/sign-in/passkey/options');
      return { token, response: await usePasskey(page, options) };
    };

    it(
      'are added, sign in alone, and are refused once they were removed',
      async () => {
        const userId = await signIn();
        const added = await register();
        expect(added).toMatchObject({ status: 201, body: { passkey: { name: 'This browser' }, session: { is_strong: true } } });
        const { passkey } = added.body as { passkey: { id: string } };
        await context.clearCookies();
        expect((await send(page, 'GET', '/me/v1/session')).status).toBe(401);

        expect((await send(page, 'POST', '/me/v1/sign-in/passkey', await answerChallenge())).status).toBe(200);
        const { csrf_token: csrf, ...begun } = await session();
        expect(begun).toMatchObject({ is_strong: true, method: 'passkey', user: { id: userId } });
        expect((await send(page, 'DELETE', `/me/v1/passkeys/${passkey.id}`, undefined, csrf)).status).toBe(204);
        await context.clearCookies();
        const refused = await send(page, 'POST', '/me/v1/sign-in/passkey', await answerChallenge());
        expect(refused).toMatchObject({ status: 401, body: { error: { code: 'SIGN_IN_FAILED' } } });
      },
      SLOW_MS,
    );

    it(
      'are a second factor after a password',
      async () => {
        const userId = await signIn();
        await register();
        await context.clearCookies();
        const token = await awaitSecondFactor(gateway(), userId);
        const answer = await send(page, 'POST', '/me/v1/sign-in/second-factor', { token, passkey: await answerChallenge() });
        expect(answer).toMatchObject({ status: 200, body: { method: 'password', is_strong: true, user: { id: userId } } });
      },
      SLOW_MS,
    );

    it(
      'are refused at another origin, by the gateway and by the browser',
      async () => {
        await signIn();
        await register();
        await context.clearCookies();
        const begun = await begin('/me/v1/sign-in/passkey/options');
        await page.goto(`${gateway().url}/livez`);
        expect(await usePasskey(page, begun.options)).toBe('SecurityError');
        // Pages of browsers send their origin; this one runs with its security off and does not.
        const refused = await call(gateway(), 'POST', '/me/v1/sign-in/passkey/options', { headers: { origin: gateway().url } });
        expect(refused).toMatchObject({ status: 400, json: { error: { code: 'INVALID_REQUEST', param: 'Origin' } } });
        expect(refused.text).toContain(`open ${site}`);
      },
      SLOW_MS,
    );
  });
});
