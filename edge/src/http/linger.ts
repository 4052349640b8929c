import { type IncomingMessage } from 'node:http';

/** How long a client may pause that still sends a request which has been answered. */
export const IDLE_MS = 2_000;
/** How long it may go on: a client with megabytes under way reads the answer only behind them. */
const TOTAL_MS = 30_000;
/** Between two pieces: what is thrown away must not take the time of requests that are answered. */
const PACE_MS = 2;

/**
 * Hangs up on a client that does not finish a request which has been answered: until then the connection serves no other request, and a server waits
 * minutes for the rest by itself. What arrives is thrown away; hanging up at once would cost the client the answer.
 */
export function linger(req: IncomingMessage): void {
  const { socket } = req;
  if (req.complete || socket.destroyed) return;
  const hangUp = () => socket.destroy();
  const idle = setTimeout(hangUp, IDLE_MS).unref();
  const total = setTimeout(hangUp, TOTAL_MS).unref();
  let next: NodeJS.Timeout | undefined;
  const received = () => {
    idle.refresh();
    req.pause();
    next = setTimeout(() => req.resume(), PACE_MS).unref();
  };
  const over = () => {
    clearTimeout(next);
    clearTimeout(idle);
    clearTimeout(total);
    req.off('data', received).off('end', over);
    socket.off('close', over);
  };
  req.on('data', received).on('end', over);
  socket.on('close', over);
  req.resume();
}
