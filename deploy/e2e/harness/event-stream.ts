import { z } from 'zod';

const chunkSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  conversation_id: z.string().optional(),
  message_id: z.string().optional(),
  choices: z.array(z.object({ index: z.literal(0), delta: z.record(z.string(), z.unknown()), finish_reason: z.string().nullable() })),
  lifecycle_event: z.looseObject({ type: z.string() }).optional(),
  usage: z.unknown().optional(),
});

/** A chunk of a streamed answer. */
export type Chunk = z.infer<typeof chunkSchema>;

/** A streamed answer that has ended. */
export interface Streamed {
  raw: string;
  /** `data:` of every event, in order, `[DONE]` among them. */
  data: string[];
  /** The events that are chunks. */
  chunks: Chunk[];
  /** The error frame, if there was one. */
  error: unknown;
  /** The text that the deltas make. */
  text: string;
}

/** Reads a stream of server-sent events to its end. Throws when an event is not as the wire format says. */
export async function readStream(response: Response): Promise<Streamed> {
  return parseStream(await response.text());
}

/** Takes a whole stream apart. Throws when an event is not as the wire format says. */
export function parseStream(raw: string): Streamed {
  const data = raw
    .split('\n\n')
    .filter((block) => !isComment(block))
    .map(dataOf);
  const events = data.filter((text) => text !== '[DONE]').map((text): unknown => JSON.parse(text));
  const chunks = events.filter((event) => !isError(event)).map((event) => chunkSchema.parse(event));
  const text = chunks.map(({ choices }) => contentOf(choices[0]?.delta)).join('');
  return { raw, data, chunks, error: events.find(isError), text };
}

/** Reads until `enough` says so, and gives what was read and the reader. */
export async function readUntil(
  response: Response,
  enough: (raw: string) => boolean,
): Promise<{ raw: string; reader: ReadableStreamDefaultReader<Uint8Array> }> {
  if (!response.body) throw new Error('the answer has no body');
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let raw = '';
  while (!enough(raw)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended early: ${raw}`);
    raw += decoder.decode(value, { stream: true });
  }
  return { raw, reader };
}

function contentOf(delta: Record<string, unknown> | undefined): string {
  return typeof delta?.['content'] === 'string' ? delta['content'] : '';
}

/** What keeps the connection alive is no event. */
function isComment(block: string): boolean {
  return block.split('\n').every((line) => line === '' || line.startsWith(':'));
}

function dataOf(block: string): string {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'));
  const [line = '', ...more] = lines;
  if (more.length > 0 || !line.startsWith('data: ')) throw new Error(`not an event of one data line: ${JSON.stringify(block)}`);
  return line.slice('data: '.length);
}

function isError(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'error' in event && !('choices' in event);
}
