import { API_KEY, bearer, type TestFixture } from './harness.ts';

/** An event of a streamed answer, as far as these tests look. */
export interface StreamEvent {
  choices?: { delta: { role?: string; content?: string; reasoning_content?: string }; finish_reason: string | null }[];
  lifecycle_event?: Record<string, unknown> & { type: string; asset?: Record<string, unknown> };
  usage?: Record<string, number>;
  error?: { code: string };
}

/** A streamed answer that is read as it comes. */
export interface ChatStream {
  status: number;
  events: StreamEvent[];
  /** In a word each: `role`, the text, a thought in parentheses, `stop`, the type of a lifecycle event, `usage`, `error`, `[DONE]`. */
  words: string[];
  /** Everything that came, as it came. */
  text(): string;
  /** Resolves when the answer has ended; rejects when it broke off. */
  ended: Promise<void>;
  hangUp(): void;
}

/** Asks for a chat with a stream, and reads it in the background. */
export async function openChat(
  fixture: TestFixture,
  fields: Record<string, unknown> = {},
  { path = '/v1/chat/completions', headers = bearer(API_KEY) }: { path?: string; headers?: Record<string, string> } = {},
): Promise<ChatStream> {
  const leaving = new AbortController();
  const answer = await fetch(`${fixture.edge.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'draw' }], ...fields }),
    signal: leaving.signal,
  });
  let text = '';
  const events: StreamEvent[] = [];
  const words: string[] = [];
  const read = async () => {
    let rest = '';
    for await (const piece of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += piece;
      const frames = (rest + piece).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith(':')) continue;
        const data = frame.slice(frame.indexOf('data: ') + 6);
        const event = data === '[DONE]' ? undefined : (JSON.parse(data) as StreamEvent);
        if (event) events.push(event);
        words.push(event ? wordOf(event) : data);
      }
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return { status: answer.status, events, words, text: () => text, ended, hangUp: () => leaving.abort() };
}

function wordOf({ choices, lifecycle_event, usage, error }: StreamEvent): string {
  const [choice] = choices ?? [];
  if (error) return 'error';
  if (choice?.delta.reasoning_content !== undefined) return `(${choice.delta.reasoning_content})`;
  return (
    lifecycle_event?.type ?? choice?.finish_reason ?? (choice?.delta.role && 'role') ?? choice?.delta.content ?? (usage && 'usage') ?? '?'
  );
}
