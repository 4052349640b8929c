import { type IncomingMessage } from 'node:http';

/** How long a client may pause that still sends a request which has been answered. */
export const IDLE_MS = 2_000;
/** How long it may send in all: a client reads the answer only after it has sent its megabytes. */
const TOTAL_MS = 30_000;
/** Pause between two chunks: discarding data must not take time from other requests. */
const PACE_MS = 2;

/**
 * Closes the connection of a client that does not finish a request which has been answered: until then it serves no other request, and Node waits
 * minutes for the rest. What arrives is discarded; closing at once would lose the answer.
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
