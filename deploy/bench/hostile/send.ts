import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningTarget } from '../targets/target.ts';
import { type LargeBody } from './bodies.ts';

const PROBE_EVERY_MS = 5;

/** Sends a body to a target and gives the status of its answer; undefined when there was none. */
export function sendBody({ url, headers }: RunningTarget, { bytes, encoding }: LargeBody): Promise<number | undefined> {
  return new Promise((resolve) => {
    const more = { 'content-type': 'application/json', ...(encoding && { 'content-encoding': encoding }) };
    const sent = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-length': bytes.length },
    });
    sent.on('error', () => resolve(undefined));
    sent.on('response', (response) => {
      response.on('end', () => resolve(response.statusCode)).on('error', () => resolve(undefined));
      response.resume();
    });
    sent.end(bytes);
  });
}

/** Asks a target over and over whether it lives, until `isOver`; gives how long each answer took, in ms. */
export async function probe({ url }: RunningTarget, isOver: () => boolean): Promise<number[]> {
  const took: number[] = [];
  while (!isOver()) {
    const begun = performance.now();
    await (await fetch(`${url}/livez`)).arrayBuffer();
    took.push(performance.now() - begun);
    await delay(PROBE_EVERY_MS);
  }
  return took;
}
