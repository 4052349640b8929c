import { GatewayError } from '@parley/protos/errors';

/** Maximum size of an uploaded file in bytes, 10 MiB. */
export const MAX_FILE_BYTES = 10 * 1_024 ** 2;

/** A message of a file stream: first the head, then chunks. */
export interface FileFrame<Head> {
  frame?: { $case: 'head'; value: Head } | { $case: 'chunk'; value: Buffer } | undefined;
}

/** A file stream of which only the head has been read. */
export interface OpenFileStream<Head> {
  head: Head;
  /** Can be read once. @throws `invalid` for a second head */
  chunks: AsyncIterable<Buffer>;
  /** Stops the sender. Must be called at the end, even if not everything was read. */
  stop(): void;
}

/**
 * Reads the head of a file stream; resolves undefined when the first message is not a head. `invalid` returns the error to throw for a
 * later frame that is not a chunk.
 * @default VALIDATION_ERROR: the stream comes from a client
 */
export async function openFileStream<Head>(
  frames: AsyncIterable<FileFrame<Head>>,
  invalid: () => GatewayError = invalidFile,
): Promise<OpenFileStream<Head> | undefined> {
  const source = frames[Symbol.asyncIterator]();
  const stop = () => void source.return?.().catch(() => undefined);
  const first = await source.next();
  const frame = first.done ? undefined : first.value.frame;
  if (frame?.$case === 'head') return { head: frame.value, chunks: readChunks(source, invalid), stop };
  stop();
  return undefined;
}

async function* readChunks<Head>(source: AsyncIterator<FileFrame<Head>>, invalid: () => GatewayError): AsyncGenerator<Buffer> {
  for (let item = await source.next(); !item.done; item = await source.next()) {
    const { frame } = item.value;
    if (frame?.$case !== 'chunk') throw invalid();
    yield frame.value;
  }
}

function invalidFile(): GatewayError {
  return new GatewayError('VALIDATION_ERROR', 'a file stream has one head, then chunks', { param: 'file' });
}
