import { Corpus } from '../texts/corpus.ts';
import { Template, textFrom } from '../texts/template.ts';

/** Where a job's connections go. */
export interface Endpoint {
  host: string;
  port: number;
}

/** Host and port of a base URL; throws for anything but plain http with a port. */
export function endpointOf(url: string): Endpoint {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' || port === '') throw new Error(`the load speaks plain http to a port, not ${url}`);
  return { host: hostname, port: Number(port) };
}

/** Header that names the conversation of a turn, in requests and answers. */
const CONVERSATION_HEADER = 'X-Service-Conversation-Id';

const CONVERSATION = new RegExp(`\\r\\n${CONVERSATION_HEADER}: *([0-9a-f-]{36})`, 'i');

/** The conversation that an answer's head names. */
export function conversationOf(head: string): string | undefined {
  return CONVERSATION.exec(head)?.[1];
}

/** Stands in a body for a text of 700 characters, another one for each request. */
export const PROMPT = '{{prompt}}';
const PROMPT_BYTES = 700;
/** As long as any id of a conversation. */
const NO_CONVERSATION = '00000000-0000-0000-0000-000000000000';
const SEED = 1;

/** What a request is rendered from. */
export interface RequestParts {
  /** Base URL of the target, without a path. */
  url: string;
  headers: Record<string, string>;
  /** JSON; `PROMPT` may stand in it. */
  body: string;
}

let corpus: Corpus | undefined;

/** Renders the requests of one kind, each with a prompt of its own. */
export class RequestRenderer {
  readonly #plain: Template;
  readonly #continued: Template;
  readonly #conversationAt: number;

  constructor({ url, headers, body }: RequestParts) {
    const { host, port } = endpointOf(url);
    const bodyParts = withGaps(body);
    const all = {
      Host: `${host}:${port}`,
      'Content-Type': 'application/json',
      ...headers,
      'Content-Length': String(new Template(bodyParts).length),
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST /v1/chat/completions HTTP/1.1\r\n${CONVERSATION_HEADER}: `;
    this.#conversationAt = head.length;
    this.#plain = new Template([`POST /v1/chat/completions HTTP/1.1\r\n${lines.join('')}\r\n`, ...bodyParts]);
    this.#continued = new Template([`${head}${NO_CONVERSATION}\r\n${lines.join('')}\r\n`, ...bodyParts]);
  }

  /** The next request, into a conversation where one is given. */
  next(conversation?: string): Buffer {
    corpus ??= new Corpus(SEED);
    const fill = textFrom(corpus.bytes, corpus.next());
    if (conversation === undefined) return this.#plain.fill(fill);
    const request = this.#continued.fill(fill);
    request.write(conversation, this.#conversationAt, NO_CONVERSATION.length, 'latin1');
    return request;
  }
}

function withGaps(body: string): (string | number)[] {
  return body.split(PROMPT).flatMap((part, i) => (i === 0 ? [part] : [PROMPT_BYTES, part]));
}
