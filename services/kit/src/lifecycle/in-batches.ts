/**
 * Does work in bites of `size` until one is not full, or the signal aborts; gives how much was done. Small bites hold locks for no longer than
 * they must, and replicas share them.
 */
export async function inBatches(size: number, bite: (size: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (let count = size; count === size && !signal?.aborted; done += count) count = await bite(size);
  return done;
}
