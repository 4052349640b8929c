import { waitFor } from '@parley/kit/testing/wait-for';

const SPARE_MS = 60_000;

interface Held {
  token: string;
  endsAt: number;
}

const held = new Map<string, Promise<Held>>();

/** The token that the operator key of a gateway is exchanged for; made once and used until a minute before its end. */
export async function adminToken({ url, operatorKey }: { url: string; operatorKey: string }): Promise<string> {
  const name = `${url} ${operatorKey}`;
  const known = held.get(name);
  if (!known || (await known.catch(() => ({ endsAt: 0 }))).endsAt - Date.now() < SPARE_MS) {
    held.set(name, exchange(url, { operator_key: operatorKey }));
  }
  return ((await held.get(name)) as Held).token;
}

/** Exchanges a credential. */
async function exchange(url: string, credential: Record<string, string>): Promise<Held> {
  // While a database or a broker is away the exchange may be refused for a moment.
  const response = await waitFor(async () => {
    const one = await fetch(`${url}/admin/v1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credential),
    });
    return one.status === 503 ? undefined : one;
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`POST /admin/v1/token answered ${response.status}: ${text}`);
  const { access_token: token, expires_at } = JSON.parse(text) as { access_token: string; expires_at: string };
  return { token, endsAt: Date.parse(expires_at) };
}
