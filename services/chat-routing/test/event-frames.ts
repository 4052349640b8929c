import { crc32 } from 'node:zlib';

/** A frame of an AWS event stream: prelude, headers of type string, payload, and the checksums of both. */
export function eventFrame(eventType: string, payload: object, messageType: 'event' | 'exception' = 'event'): Buffer {
  const body = Buffer.from(JSON.stringify(payload));
  const headers = Buffer.concat([
    header(messageType === 'event' ? ':event-type' : ':exception-type', eventType),
    header(':content-type', 'application/json'),
    header(':message-type', messageType),
  ]);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const rest = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([rest, checksum(rest)]);
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
