import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type ArtifactBytes } from '../engine/artifacts/make.ts';
import { type AppliedFault } from '../faults/operation-faults.ts';
import { destroyAfterWrites } from '../generation/stream-generation.ts';

const DEFAULT_PAUSE_MS = 5_000;
const HTML = Buffer.from('<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n');

type Step = Buffer | 'pause' | 'cut' | 'hang';

/** Yields what to send: the bytes, with a fault's step in the middle. */
function* stepsOf({ size, chunks }: ArtifactBytes, middle: Step | undefined): Generator<Step> {
  let sent = 0;
  let step = middle;
  for (const chunk of chunks) {
    const rest = Math.floor(size / 2) - sent;
    if (step === undefined || rest > chunk.length) {
      yield chunk;
    } else {
      yield chunk.subarray(0, rest);
      yield step;
      yield chunk.subarray(rest);
      step = undefined;
    }
    sent += chunk.length;
  }
}

const MIDDLES: Partial<Record<NonNullable<AppliedFault['fault']>, Step>> = { artifact_slow: 'pause', cut: 'cut', half_open: 'hang' };

function lengthOf(size: number, fault: AppliedFault['fault']): Record<string, number> {
  if (fault === 'artifact_unsized') return {};
  // More is sent than announced, so the connection cannot be used again.
  return { 'Content-Length': fault === 'artifact_larger' ? Math.floor(size / 2) : size };
}

/**
 * Sends 200 with the bytes of an artifact at the pace of the client, or with what a fault does to them. Resolves true when they were sent
 * completely.
 */
export async function sendArtifactBytes(
  res: ServerResponse,
  headers: Record<string, string>,
  bytes: ArtifactBytes,
  met: AppliedFault,
): Promise<boolean> {
  const { fault, delayMs = DEFAULT_PAUSE_MS } = met;
  const sent: ArtifactBytes = fault === 'artifact_html' ? { size: HTML.length, chunks: [HTML] } : bytes;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  try {
    res.writeHead(200, { ...headers, ...lengthOf(sent.size, fault), ...(fault === 'artifact_larger' ? { Connection: 'close' } : {}) });
    for (const step of stepsOf(sent, fault === undefined ? undefined : MIDDLES[fault])) {
      if (gone.signal.aborted || step === 'hang') return false;
      if (step === 'cut') {
        destroyAfterWrites(res);
        return false;
      }
      if (step === 'pause') await wait(delayMs, undefined, { signal: gone.signal });
      else if (!res.write(step)) await once(res, 'drain', { signal: gone.signal });
    }
    res.end();
    return fault === undefined || fault === 'artifact_slow' || fault === 'artifact_unsized';
  } catch (error) {
    if (gone.signal.aborted) return false;
    throw error;
  }
}
