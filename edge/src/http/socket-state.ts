import { type ServerResponse } from 'node:http';
import { type Duplex } from 'node:stream';

const ANSWER = Symbol('parley.answer');

type Occupied = Duplex & { [ANSWER]?: ServerResponse };

/** Notes which response a connection is busy with. */
export function setCurrentResponse(socket: Duplex, res: ServerResponse): void {
  (socket as Occupied)[ANSWER] = res;
}

/** True while a response is being sent: anything else written to the socket would land in the middle of it. */
export function isSendingResponse(socket: Duplex): boolean {
  const res = (socket as Occupied)[ANSWER];
  return res !== undefined && res.headersSent && !res.writableFinished;
}
