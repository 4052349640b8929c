import { SandboxError } from '../http/sandbox-error.ts';

/** Passes chunks on and counts their bytes. The chunks end with 413 `request_too_large` after more than `limit` bytes. */
export function limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): { readonly chunks: AsyncGenerator<Uint8Array>; readonly size: () => number } {
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw new SandboxError(413, 'request_too_large', `a file has at most ${limit} bytes`);
      yield chunk;
    }
  }
  return { chunks: counted(), size: () => size };
}
