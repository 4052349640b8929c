import { GatewayError } from '@parley/protos/errors';

/** What files are streamed in: the head, then chunks. */
export interface FileFrame<Head> {
  frame?: { $case: 'head'; value: Head } | { $case: 'chunk'; value: Buffer } | undefined;
}

/** A file of which nothing but the head has been read. */
export interface OpenFile<Head> {
  head: Head;
  /** To be read once. @throws VALIDATION_ERROR for a second head */
  chunks: AsyncIterable<Buffer>;
  /** Stops whoever sends; to be called in the end, whatever was read. */
  stop(): void;
}

/** Reads the head of a file; undefined when something else comes first. */
export async function openFile<Head>(frames: AsyncIterable<FileFrame<Head>>): Promise<OpenFile<Head> | undefined> {
  const source = frames[Symbol.asyncIterator]();
  const stop = () => void source.return?.().catch(() => undefined);
  const first = await source.next();
  const frame = first.done ? undefined : first.value.frame;
  if (frame?.$case === 'head') return { head: frame.value, chunks: chunksOf(source), stop };
  stop();
  return undefined;
}

async function* chunksOf<Head>(source: AsyncIterator<FileFrame<Head>>): AsyncGenerator<Buffer> {
  for (let item = await source.next(); !item.done; item = await source.next()) {
    const { frame } = item.value;
    if (frame?.$case !== 'chunk') throw new GatewayError('VALIDATION_ERROR', 'a file has one head and then chunks', { param: 'file' });
    yield frame.value;
  }
}
