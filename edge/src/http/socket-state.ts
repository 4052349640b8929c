import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

const ANSWER = Symbol('parley.answer');
const SENT = Symbol('parley.sent');

type Occupied = Duplex & { [ANSWER]?: ServerResponse };
type Measured = Socket & { [SENT]?: number };

/** Notes which response a connection is busy with. */
export function setCurrentResponse(socket: Duplex, res: ServerResponse): void {
  (socket as Occupied)[ANSWER] = res;
}

/** True while a response is being sent: anything else written to the socket would land in the middle of it. */
export function isSendingResponse(socket: Duplex): boolean {
  const res = (socket as Occupied)[ANSWER];
  return res !== undefined && res.headersSent && !res.writableFinished;
}

/** Bytes that were written to a connection since this was last asked: those of one response, since responses follow each other. */
export function takeBytesSent(socket: Socket): number {
  const sent = socket.bytesWritten;
  const before = (socket as Measured)[SENT] ?? 0;
  (socket as Measured)[SENT] = sent;
  return sent - before;
}
