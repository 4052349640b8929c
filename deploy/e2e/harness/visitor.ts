import { type Answer, call } from './http.ts';
import { type Gateway } from './parley.ts';

/** What a page of the gateway sends: the origin, and with a session its cookie and CSRF token. */
export class Visitor {
  readonly #gateway: Pick<Gateway, 'url'>;
  #cookie = '';
  #csrf = '';

  constructor(gateway: Pick<Gateway, 'url'>) {
    this.#gateway = gateway;
  }

  /** Sends a request as the browser does, and keeps the session that the answer begins or ends. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { origin: this.#gateway.url, ...(this.#cookie && { cookie: this.#cookie, 'x-csrf-token': this.#csrf }) };
    const answer = await call(this.#gateway, method, `/me/v1${path}`, { body, headers: { ...own, ...headers } });
    const [pair] = (answer.headers.get('set-cookie') ?? '').split(';');
    if (pair) this.#cookie = pair.endsWith('=') ? '' : pair;
    const { csrf_token: csrf } = (answer.json ?? {}) as { csrf_token?: string };
    if (csrf !== undefined) this.#csrf = csrf;
    return answer;
  }
}
