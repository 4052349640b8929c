import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { type GatewayResponse, sendRequest } from './send-request.ts';

/** What a gateway exchanges for a token: its operator key, the secret of a service account, or the login session of a person. */
export type Credential =
  | { kind: 'operator'; operatorKey: string }
  | { kind: 'service_account'; id: string; secret: string }
  | { kind: 'session'; cookie: string; csrfToken: string };

const answered = z.object({ access_token: z.string(), expires_in: z.number() });

/** A token is not used in the last minute of its life: a slow command must not end with it. */
const SPARE_MS = 60_000;

const REFUSED: Readonly<Record<Credential['kind'], string>> = {
  operator: 'does not accept this operator key; check PARLEY_OPERATOR_KEY',
  service_account: 'does not accept this service account; check PARLEY_SERVICE_ACCOUNT_ID and PARLEY_SERVICE_ACCOUNT_SECRET',
  session: 'has ended this login; run: npx parley login',
};

/** Gives the token of the control plane, which is asked for with the first call and anew before its end. */
export class AdminTokenSource {
  readonly #url: string;
  readonly #credential: Credential;
  #token: Promise<{ token: string; endsAt: number }> | undefined;

  constructor(url: string, credential: Credential) {
    this.#url = url;
    this.#credential = credential;
  }

  /** @throws CliError when the gateway cannot be reached or does not accept the credential */
  async get(): Promise<string> {
    if (this.#token && (await this.#token).endsAt - SPARE_MS <= performance.now()) this.#token = undefined;
    this.#token ??= this.#exchange();
    return (await this.#token).token;
  }

  async #exchange(): Promise<{ token: string; endsAt: number }> {
    const askedAt = performance.now();
    const answer = await ask(this.#url, this.#credential);
    if (answer.status === 401) throw this.#refused(answer);
    const read = answered.safeParse(answer.body);
    if (read.success) return { token: read.data.access_token, endsAt: askedAt + read.data.expires_in * 1_000 };
    throw problem(this.#url, answer);
  }

  #refused({ body }: GatewayResponse): CliError {
    return new CliError(`${this.#url} ${REFUSED[this.#credential.kind]}`, { code: codeOf(body) });
  }
}

function ask(url: string, credential: Credential): Promise<GatewayResponse> {
  const exchange = { method: 'POST', path: '/admin/v1/token' };
  switch (credential.kind) {
    case 'operator':
      return sendRequest(url, { ...exchange, body: { operator_key: credential.operatorKey } });
    case 'service_account':
      return sendRequest(url, { ...exchange, body: { client_id: credential.id, client_secret: credential.secret } });
    case 'session': {
      const headers = { cookie: credential.cookie, 'x-csrf-token': credential.csrfToken, origin: url };
      return sendRequest(url, { method: 'POST', path: '/me/v1/admin-token', headers });
    }
  }
}

const envelope = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

function problem(url: string, { status, body }: GatewayResponse): CliError {
  const read = envelope.safeParse(body);
  if (read.success) return new CliError(`${read.data.error.message} [${read.data.error.code}]`, { code: read.data.error.code });
  return new CliError(`${url} does not answer like a Parley gateway (HTTP ${status})`, { code: 'BAD_ANSWER' });
}

function codeOf(body: unknown): string {
  return envelope.safeParse(body).data?.error.code ?? 'UNAUTHENTICATED';
}
