import { type IncomingMessage } from 'node:http';

/** Longest pause, in milliseconds, of a client that still sends the body of a request that was already answered. */
export const MAX_BODY_PAUSE_MS = 2_000;
/** Longest total time, in milliseconds, for the rest of the body: some clients read the answer only after they have sent all of it. */
const TOTAL_MS = 30_000;
/** Pause between two chunks, in milliseconds: discarding data must not take time from other requests. */
const PACE_MS = 2;

/**
 * Discards the rest of a request that was answered before its body ended, and closes the connection when the client does not finish it in
 * time. Until then the connection serves no other request, and Node would wait minutes; closing at once would lose the answer.
 */
export function discardRequestBody(req: IncomingMessage): void {
  const { socket } = req;
  if (req.complete || socket.destroyed) return;
  const hangUp = () => socket.destroy();
  const idle = setTimeout(hangUp, MAX_BODY_PAUSE_MS).unref();
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
