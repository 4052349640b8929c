import createClient, { type Client } from 'openapi-fetch';
import { type paths } from './generated/admin.ts';
import { meClient } from './me.ts';
import { unwrap } from './unwrap.ts';

/** A token is renewed when it has less than this left. */
const SPARE_MS = 30_000;

interface Token {
  text: string;
  endsAt: number;
}

let token: Promise<Token> | undefined;

/** A token of the control plane, by the session; kept in memory while it holds. @throws Problem */
async function adminToken(): Promise<string> {
  const known = await token?.catch(() => undefined);
  if (known && known.endsAt - Date.now() > SPARE_MS) return known.text;
  token = unwrap(meClient.POST('/me/v1/admin-token')).then(({ access_token, expires_in }) => ({
    text: access_token,
    endsAt: Date.now() + expires_in * 1000,
  }));
  return (await token).text;
}

/** The client of `/admin/v1`, generated from the gateway's own description. */
export const adminClient: Client<paths> = createClient<paths>({ baseUrl: location.origin });

adminClient.use({
  async onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${await adminToken()}`);
    return request;
  },
  onResponse({ response }) {
    // A rejected token is not used again.
    if (response.status === 401) token = undefined;
  },
});

/** `fetch` for what the generated client cannot do, such as a download of CSV. */
export async function fetchAdmin(path: `/admin/v1/${string}`, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${await adminToken()}`);
  return fetch(path, { ...init, headers });
}
