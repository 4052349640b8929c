import { type Answered, checkHeaders, checkJson, findAnswer, type Found, mediaOf } from './check-answer.ts';
import { checkRequest, type Sent } from './check-request.ts';
import { findOperation, type OpenApi } from './document.ts';
import { type Checks } from './schemas.ts';

/** A description with its checks. */
export interface Description {
  document: OpenApi;
  checks: Checks;
}

/** An exchange under way: what of it does not agree with the description is said as it is seen. */
export class Exchange {
  readonly #description: Description;
  readonly #sent: Sent;
  readonly #complain: (wrong: string) => void;
  readonly #found: Found | undefined;
  readonly #media: string | undefined;
  #rest = '';

  constructor(description: Description, sent: Sent, answer: Omit<Answered, 'place'>, complain: (wrong: string) => void) {
    const { document, checks } = description;
    this.#description = description;
    this.#sent = sent;
    this.#complain = (wrong) => complain(`${sent.method} ${sent.target.split('?')[0]} → ${answer.status}: ${wrong}`);
    const place = findOperation(document, sent.method, sent.target.split('?')[0] ?? '');
    // A Response has nothing of its own to spread.
    const answered = { place, status: answer.status, headers: answer.headers };
    this.#found = findAnswer(document, answered);
    if (this.#found) {
      this.#say(checkHeaders(this.#found, answered, checks));
      if (place && answer.status < 300) this.#say(checkRequest(place, sent, checks));
      this.#media = this.#checkType(this.#found, answer);
    } else this.#complain('the status is not described');
  }

  /** Takes a piece of the body; events are looked at one by one. */
  read(text: string): void {
    this.#rest += text;
    if (this.#media !== 'text/event-stream') return;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#checkEvent(block);
  }

  /** The body is whole. */
  end(): void {
    if (!this.#found || this.#sent.method === 'HEAD') return;
    if (!this.#found.described.content && this.#rest !== '') this.#complain('there is a body, and none is described');
    if (this.#media === 'application/json') this.#checkText(this.#rest);
    if (this.#media === 'text/event-stream' && this.#rest.trim() !== '') this.#complain(`the stream ends within an event: ${this.#rest}`);
  }

  /** Whether the body has to be read as text. */
  get isText(): boolean {
    return this.#media === undefined || this.#media === 'application/json' || this.#media === 'text/event-stream';
  }

  #checkType(found: Found, { headers }: Omit<Answered, 'place'>): string | undefined {
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    const media = mediaOf(found, type);
    if (type !== '' && media === undefined) this.#complain(`the answer is ${type}, which is not described`);
    return media;
  }

  #checkEvent(block: string): void {
    const data = block
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => line.slice('data: '.length))
      .join('\n');
    if (data !== '' && data !== '[DONE]') this.#checkText(data);
  }

  #checkText(text: string): void {
    if (!this.#found || this.#media === undefined) return;
    try {
      this.#say(checkJson(this.#found, this.#media, JSON.parse(text), this.#description.checks));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#complain('the body is no JSON');
    }
  }

  #say(wrongs: readonly string[]): void {
    for (const wrong of wrongs) this.#complain(wrong);
  }
}
