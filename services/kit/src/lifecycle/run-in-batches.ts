/**
 * Calls `batch` until it handles fewer than `size` items or the signal aborts; resolves with the total. Small batches hold locks for a
 * short time, and replicas share the work.
 */
export async function runInBatches(size: number, batch: (size: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (let count = size; count === size && !signal?.aborted; done += count) count = await batch(size);
  return done;
}
