import { type ReceivedRequest, type ResponseScript, stream } from '../src/providers/testing/upstream.ts';

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** An upstream that keeps conversations: sessions, acceptance, answers and stops, as the sandbox speaks. */
export class SandboxScript {
  /** Sessions that are open. */
  readonly sessions = new Set<string>();
  /** Turns it was asked. */
  readonly asked: ReceivedRequest[] = [];
  /** Answers to all turns; undefined lets them run until they are stopped. */
  text: string | undefined = 'Hello';
  /** Refuses turns with this status and code. */
  refusal: { status: number; code: string } | undefined;
  /** How a conversation stands when it is asked for; undefined refuses with `refusal`. */
  branch: (() => unknown) | undefined;
  #messages = 0;
  readonly #running = new Map<string, () => void>();

  readonly serve: ResponseScript = (received) => {
    const { path, body, res, headers } = received;
    if (path === '/api/session') {
      const token = `token-${this.sessions.size + 1}`;
      this.sessions.add(token);
      return void (body.password === 'right' ? json(res, 200, { token }) : json(res, 401, { error: { code: 'bad_credentials' } }));
    }
    if (!this.sessions.has(String(headers.authorization).replace('Bearer ', '')))
      return void json(res, 401, { error: { code: 'session_expired' } });
    if (path === '/api/models') return void json(res, 200, { models: [{ id: 's1' }] });
    if (path.endsWith('/stop')) {
      this.#running.get(String(body.message_id))?.();
      return void json(res, 200, {});
    }
    if (path.endsWith('/branch') && this.branch) return void json(res, 200, this.branch());
    this.asked.push(received);
    if (this.refusal) return void json(res, this.refusal.status, { error: { code: this.refusal.code } });
    this.#answer(received);
  };

  #answer({ res }: ReceivedRequest): void {
    const message_id = `m${++this.#messages}`;
    const done = () =>
      res.end(event('done', { message_id: `${message_id}-end`, finish_reason: 'stop', usage: { input_tokens: 1, output_tokens: 2 } }));
    stream(res);
    res.write(event('accepted', { conversation_id: 'c1', message_id }) + event('delta', { text: this.text ?? 'part' }));
    if (this.text === undefined) this.#running.set(message_id, done);
    else done();
  }
}

function json(res: ReceivedRequest['res'], status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
