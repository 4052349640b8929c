import { GatewayError } from '@parley/protos/errors';
import { MAX_EVENT_BYTES } from '../event-stream-parser.ts';

/** Size of prelude and checksums, the minimum of a frame. */
const MIN_FRAME_BYTES = 16;
const LENGTH_BYTES = 4;

/**
 * Checks the frame lengths of an AWS event stream (https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html), because
 * the SDK's decoder buffers bytes until a frame is complete. `push` throws PROVIDER_BAD_ANSWER for an invalid length or one above 8 MB.
 */
export class FrameLengthChecker {
  readonly #length = Buffer.alloc(LENGTH_BYTES);
  #known = 0;
  #left = 0;

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
        continue;
      }
      this.#length[this.#known++] = bytes[at++] ?? 0;
      if (this.#known === LENGTH_BYTES) this.#begin(this.#length.readUInt32BE());
    }
  }

  #begin(size: number): void {
    if (size < MIN_FRAME_BYTES || size > MAX_EVENT_BYTES)
      throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent a frame that is none, or one beyond 8 MB');
    this.#known = 0;
    this.#left = size - LENGTH_BYTES;
  }
}
