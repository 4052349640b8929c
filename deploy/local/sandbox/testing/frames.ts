import { z } from 'zod';

/** One server-sent event. */
export interface Frame {
  readonly event: string;
  readonly data: string;
}

function frameFrom(block: string): Frame {
  const field = (name: string): string =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  return { event: field('event'), data: field('data') };
}

/** Yields the events of a stream as they arrive. */
export async function* framesOf(response: Response): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const blocks = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield frameFrom(block);
  }
}

const artifactSchema = z.object({ id: z.string(), kind: z.string(), name: z.string(), mime_type: z.string() });

/** A reply of the web API, read to its end. */
export interface Reply {
  readonly conversationId: string;
  readonly messageId: string;
  readonly parentId: string;
  readonly text: string;
  readonly deltas: number;
  /** Artifacts that the stream reported. */
  readonly artifacts: z.infer<typeof artifactSchema>[];
  /** The event that ended the stream, and its data. */
  readonly end: string;
  readonly last: unknown;
}

const acceptedSchema = z.object({ conversation_id: z.string(), message_id: z.string(), parent_id: z.string() });
const deltaSchema = z.object({ text: z.string() });

/** Reads a stream of the web API to its end. */
export async function readReply(response: Response): Promise<Reply> {
  const frames: Frame[] = [];
  for await (const frame of framesOf(response)) frames.push(frame);
  const accepted = acceptedSchema.parse(JSON.parse(frames[0]?.data ?? ''));
  const deltas = frames.filter(({ event }) => event === 'delta').map(({ data }) => deltaSchema.parse(JSON.parse(data)).text);
  const last = frames.at(-1);
  return {
    conversationId: accepted.conversation_id,
    messageId: accepted.message_id,
    parentId: accepted.parent_id,
    text: deltas.join(''),
    deltas: deltas.length,
    artifacts: frames.filter(({ event }) => event === 'artifact').map(({ data }) => artifactSchema.parse(JSON.parse(data))),
    end: last?.event ?? '',
    last: JSON.parse(last?.data ?? 'null'),
  };
}
