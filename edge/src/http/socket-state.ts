import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

const ANSWER = Symbol('parley.answer');
const SENT = Symbol('parley.sent');

type Occupied = Duplex & { [ANSWER]?: ServerResponse };
type Measured = Socket & { [SENT]?: number };

/** Records the response that a connection is currently sending. */
export function setCurrentResponse(socket: Duplex, res: ServerResponse): void {
  (socket as Occupied)[ANSWER] = res;
}

/** True while a response is being sent: anything else written to the socket would corrupt it. */
export function isSendingResponse(socket: Duplex): boolean {
  const res = (socket as Occupied)[ANSWER];
  return res !== undefined && res.headersSent && !res.writableFinished;
}

/** Bytes written to a connection since the last call, which are those of one response, because responses follow each other. */
export function takeBytesSent(socket: Socket): number {
  const sent = socket.bytesWritten;
  const before = (socket as Measured)[SENT] ?? 0;
  (socket as Measured)[SENT] = sent;
  return sent - before;
}
