import { GatewayError } from '@parley/protos/errors';

/** Frames of an upload: the head, then chunks. */
interface Frame<Head> {
  frame?: { $case: 'head'; value: Head } | { $case: 'chunk'; value: Buffer } | undefined;
}

/** An upload of which nothing but the head has been read. */
export interface Upload<Head> {
  head: Head;
  /** To be read once. */
  chunks: AsyncIterable<Uint8Array>;
  /** Stops whoever sends; nothing more is read. */
  stop(): void;
}

/** Reads the head of an upload. @throws VALIDATION_ERROR when it does not come first, and only once */
export async function openUpload<Head>(frames: AsyncIterable<Frame<Head>>): Promise<Upload<Head>> {
  const source = frames[Symbol.asyncIterator]();
  const stop = () => void source.return?.().catch(() => undefined);
  const first = await source.next();
  const frame = first.done ? undefined : first.value.frame;
  if (frame?.$case === 'head') return { head: frame.value, chunks: chunksOf(source), stop };
  stop();
  throw new GatewayError('VALIDATION_ERROR', 'an upload begins with its head', { param: 'file' });
}

async function* chunksOf<Head>(source: AsyncIterator<Frame<Head>>): AsyncGenerator<Uint8Array> {
  for (let item = await source.next(); !item.done; item = await source.next()) {
    const { frame } = item.value;
    if (frame?.$case !== 'chunk') throw new GatewayError('VALIDATION_ERROR', 'an upload has one head and then chunks', { param: 'file' });
    yield frame.value;
  }
}
