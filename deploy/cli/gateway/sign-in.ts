import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { type Login } from './login-file.ts';
import { type GatewayResponse, sendRequest } from './send-request.ts';

/** A login session that a gateway has opened. */
export interface LoginSession {
  /** `Cookie` header. */
  cookie: string;
  csrfToken: string;
}

const session = z.object({ csrf_token: z.string() });
const secondFactor = z.object({ status: z.literal('second_factor_required'), token: z.string(), methods: z.array(z.string()) });
const envelope = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const TOTP = /^\d{6}$/;

/** Signs in with a password; a token for the second step where the person has a second factor. @throws CliError */
export async function signIn(url: string, email: string, password: string): Promise<LoginSession | { token: string }> {
  const answer = await post(url, '/me/v1/sign-in', { email, password });
  const waiting = secondFactor.safeParse(answer.body);
  if (!waiting.success) return toLoggedIn(url, answer);
  if (waiting.data.methods.some((method) => method !== 'passkey')) return { token: waiting.data.token };
  throw new CliError('the second factor of this person is a passkey, which needs a browser; use a service account', {
    code: 'PASSKEY_ONLY',
  });
}

/** Ends a sign-in with a code of an authenticator app, or a recovery code. @throws CliError */
export async function signInWithCode(url: string, token: string, code: string): Promise<LoginSession> {
  const shown = TOTP.test(code) ? { code } : { recovery_code: code };
  return toLoggedIn(url, await post(url, '/me/v1/sign-in/second-factor', { token, ...shown }));
}

/** Ends a session; one that has ended already is no error. @throws CliError when the gateway cannot be reached */
export async function signOut(url: string, { cookie, csrf_token }: Login): Promise<void> {
  await sendRequest(url, { method: 'POST', path: '/me/v1/sign-out', headers: { cookie, 'x-csrf-token': csrf_token, origin: url } });
}

async function post(url: string, path: string, body: object): Promise<GatewayResponse> {
  const answer = await sendRequest(url, { method: 'POST', path, headers: { origin: url }, body });
  if (answer.status < 400) return answer;
  const read = envelope.safeParse(answer.body);
  if (!read.success) throw new CliError(`${url} does not answer like a Parley gateway (HTTP ${answer.status})`, { code: 'BAD_ANSWER' });
  const { code, message } = read.data.error;
  throw new CliError(`${message} [${code}]`, { code });
}

function toLoggedIn(url: string, { body, headers }: GatewayResponse): LoginSession {
  const read = session.safeParse(body);
  const [cookie] = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  if (read.success && cookie) return { cookie, csrfToken: read.data.csrf_token };
  throw new CliError(`${url} gave an answer to the sign-in that this version does not understand`, { code: 'BAD_ANSWER' });
}
