import { type Page } from 'playwright-core';

/** An answer of the gateway to a page. */
export interface PageAnswer {
  status: number;
  body: unknown;
}

/** Gives a page an authenticator that verifies its person without asking (Chrome DevTools Protocol, domain WebAuthn). Returns what empties it. */
export async function addAuthenticator(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return () => session.send('WebAuthn.clearCredentials', { authenticatorId });
}

/** Sends a request from the page, with its cookies and its origin. */
export function send(page: Page, method: string, path: string, body?: unknown, csrf = ''): Promise<PageAnswer> {
  return page.evaluate(
    async ([verb, target, json, token]) => {
      const headers = { 'content-type': 'application/json', 'x-csrf-token': token };
      const response = await fetch(target, { method: verb, headers, ...(json !== null && { body: json }) });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as unknown };
    },
    [method, path, body === undefined ? null : JSON.stringify(body), csrf] as const,
  );
}

/** Lets the browser make a passkey; `toJSON()` of it, or the name of its refusal. */
export function makePasskey(page: Page, options: unknown): Promise<unknown> {
  return runCeremony(page, 'create', 'parseCreationOptionsFromJSON', options);
}

/** Lets the browser use a passkey; `toJSON()` of the assertion, or the name of its refusal. */
export function usePasskey(page: Page, options: unknown): Promise<unknown> {
  return runCeremony(page, 'get', 'parseRequestOptionsFromJSON', options);
}

/** As text: what runs in the page has types that Node does not have. */
function runCeremony(page: Page, verb: 'create' | 'get', parse: string, options: unknown): Promise<unknown> {
  return page.evaluate(`navigator.credentials
    .${verb}({ publicKey: PublicKeyCredential.${parse}(${JSON.stringify(options)}) })
    .then((credential) => credential.toJSON(), (error) => error.name)`);
}
