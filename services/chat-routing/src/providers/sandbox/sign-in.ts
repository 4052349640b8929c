import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type JsonRequest, type HttpPools } from '../http-pools.ts';
import { readErrorCode, toResponseError } from './wire.ts';

/** Second factors of the sandbox. */
const FACTORS = ['app', 'email'] as const;

/** A sign-in in progress at the sandbox. */
export const challengeSchema = z.object({
  id: z.string().min(1).max(200),
  step: z.enum(['one_time_code', 'choose_factor', 'second_factor']),
  sends_left: z.number(),
  factors: z.array(z.enum(FACTORS)).catch([]),
  factor: z.enum(FACTORS).optional().catch(undefined),
  sent_to: z.string().max(100).optional().catch(undefined),
});

/** A parsed `challengeSchema`. */
export type Challenge = z.infer<typeof challengeSchema>;

const answered = z.union([
  z.object({ challenge: challengeSchema }),
  z.object({ token: z.string().min(1), account: z.object({ id: z.string() }).optional() }),
]);

/** Response of the sandbox: the next challenge, a session, or an error code. */
export type SignInAnswer = { challenge: Challenge } | { token: string; account?: { id: string } | undefined } | { code: string };

/** Error codes caused by the user's input or the state of the sign-in; all others are failures. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...['bad_credentials', 'wrong_code', 'code_expired', 'too_many_tries'],
  ...['challenge_not_found', 'challenge_expired', 'other_step', 'unknown_factor'],
]);

/** Client of the sandbox's sign-in endpoints. All methods throw a coded error when the sandbox fails. */
export class SignInClient {
  readonly #pools: HttpPools;
  readonly #baseUrl: string;
  readonly #signal: AbortSignal | undefined;

  constructor(pools: HttpPools, baseUrl: string, signal?: AbortSignal) {
    this.#pools = pools;
    this.#baseUrl = baseUrl;
    this.#signal = signal;
  }

  logIn(account: string, password: string): Promise<SignInAnswer> {
    return this.#ask('/api/session', { method: 'POST', body: { account, password } });
  }

  answer(id: string, body: { code: string } | { factor: string }): Promise<SignInAnswer> {
    return this.#ask(pathOf(id), { method: 'POST', body });
  }

  resend(id: string): Promise<SignInAnswer> {
    return this.#ask(`${pathOf(id)}/resend`, { method: 'POST', body: {} });
  }

  /** Returns the current challenge of a sign-in. */
  getChallenge(id: string): Promise<SignInAnswer> {
    return this.#ask(pathOf(id), { method: 'GET' });
  }

  /** Deletes a sign-in. */
  async cancel(id: string): Promise<void> {
    await this.#call(pathOf(id), { method: 'DELETE' });
  }

  /** Closes a session. */
  async signOut(token: string): Promise<void> {
    await this.#call('/api/session', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
  }

  async #ask(path: string, request: JsonRequest): Promise<SignInAnswer> {
    const said = await this.#call(path, request);
    if ('code' in said) return said;
    const read = answered.safeParse(said.body);
    if (!read.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not say how to sign in');
    return read.data;
  }

  async #call(path: string, request: JsonRequest): Promise<{ code: string } | { body: unknown }> {
    let code = '';
    try {
      const body = await this.#pools.requestJson(this.#baseUrl, path, { ...request, signal: this.#signal }, (status, body, ...rest) => {
        code = readErrorCode(body);
        return toResponseError(status, body, ...rest);
      });
      return { body };
    } catch (error) {
      if (REFUSALS.has(code)) return { code };
      throw error;
    }
  }
}

function pathOf(id: string): string {
  return `/api/session/challenges/${encodeURIComponent(id)}`;
}
