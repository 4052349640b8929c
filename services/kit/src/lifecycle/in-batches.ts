/**
 * Works in batches of `size` until one is not full or the signal aborts; returns the total. Small batches hold locks for a short time,
 * and replicas share them.
 */
export async function inBatches(size: number, batch: (size: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (let count = size; count === size && !signal?.aborted; done += count) count = await batch(size);
  return done;
}
