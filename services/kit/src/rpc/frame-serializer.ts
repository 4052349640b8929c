import { type Envelope, type Frame } from './frames.ts';
import { type Method } from './method.ts';
import { type EncodedFields } from './multiplexed-call.ts';

/** Tags of length-delimited fields: `envelopes` of a frame and `request` of an envelope, see parley/common/v1/frame.proto. */
const ENVELOPE_TAG = 0x0a;
const REQUEST_TAG = 0x1a;

/**
 * Returns the serializer of a multiplexed method's frames. For an envelope with `rest`, it appends the encoded fields to the request
 * unchanged: protobuf merges the fields of concatenated messages. A worker thread has encoded them, so that this thread does not block.
 */
export function createFrameSerializer(method: Method): (value: unknown) => Buffer {
  return (value) => {
    const [first] = (value as Frame).envelopes;
    return first?.rest ? serializeLong(method, first, first.rest) : method.requestSerialize(value);
  };
}

function serializeLong(method: Method, { exchange, control, request, weight }: Envelope, { bytes, headroomBytes }: EncodedFields): Buffer {
  const envelope = readContent(method.requestSerialize({ envelopes: [{ exchange, control, weight }] }));
  const head = readContent(readContent(method.requestSerialize({ envelopes: [{ exchange: 0, request, weight: 0 }] })));
  const field = lengthField(REQUEST_TAG, head.length + bytes.length);
  const length = envelope.length + field.length + head.length + bytes.length;
  const before = Buffer.concat([lengthField(ENVELOPE_TAG, length), envelope, field, head]);
  if (before.length > headroomBytes) return Buffer.concat([before, bytes]);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset - before.length, before.length + bytes.length);
  before.copy(whole);
  return whole;
}

/** Returns the content of a length-delimited field without its tag and length. */
function readContent(bytes: Buffer): Buffer {
  let at = 1;
  while ((bytes[at] ?? 0) >= 0x80) at++;
  return bytes.subarray(at + 1);
}

function lengthField(tag: number, length: number): Buffer {
  const bytes = [tag];
  let left = length;
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  bytes.push(left);
  return Buffer.from(bytes);
}
