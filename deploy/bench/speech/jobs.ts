import { setTimeout as delay } from 'node:timers/promises';
import { type RunningTarget } from '../targets/target.ts';

const PATH = '/v1/audio/generations';
const POLL_MS = 50;
const PATIENCE_MS = 300_000;
/** The embedded engine, which is there without any account. */
const VOICE = { provider: 'flite', voice: 'slt' };

interface ShownJob {
  id: string;
  status: string;
  duration_ms: number | null;
}

/** A text for one job. */
export interface SpeechOrder {
  input: string;
  /** How fast it is spoken; slower is more audio. @default 1 */
  speed?: number;
}

/** The speech jobs that a bench has one target do. */
export class SpeechJobs {
  readonly #target: RunningTarget;
  readonly #ids = new Set<string>();

  constructor(target: RunningTarget) {
    this.#target = target;
  }

  /** Queues so many jobs; none is forgotten until the next call of `forget`. */
  async queue(count: number, { input, speed = 1 }: SpeechOrder): Promise<void> {
    const body = JSON.stringify({ ...VOICE, input, provider_options: { speed } });
    const jobs = await Promise.all(Array.from({ length: count }, () => this.#call<ShownJob>('POST', PATH, body)));
    for (const { id } of jobs) this.#ids.add(id);
  }

  /** Waits until so many are being spoken. */
  async spoken(count: number): Promise<void> {
    await this.#until(async () => (await this.beingSpoken()) >= count);
  }

  async beingSpoken(): Promise<number> {
    return (await this.#shown()).filter(({ status }) => status === 'processing').length;
  }

  /** Waits until all have ended, and gives the seconds of audio that they came to. Throws when one did not come to be. */
  async finished(): Promise<number> {
    let jobs: ShownJob[] = [];
    await this.#until(async () => {
      jobs = await this.#shown();
      return jobs.every(({ status }) => status !== 'queued' && status !== 'processing');
    });
    const failed = jobs.filter(({ status }) => status !== 'completed');
    if (failed.length > 0) throw new Error(`${failed.length} of ${jobs.length} speech jobs ended otherwise: ${failed[0]?.status}`);
    return jobs.reduce((sum, { duration_ms: ms }) => sum + (ms ?? 0), 0) / 1_000;
  }

  /** Cancels those that have not ended. */
  async cancel(): Promise<void> {
    const open = (await this.#shown()).filter(({ status }) => status === 'queued' || status === 'processing');
    // One that ends meanwhile refuses, which is as well.
    await Promise.all(open.map(({ id }) => this.#call('POST', `${PATH}/${id}/cancel`).catch(() => undefined)));
    await this.#until(async () => (await this.beingSpoken()) === 0);
  }

  /** What was asked for so far is no part of what follows; gives how much it was. */
  forget(): number {
    const { size } = this.#ids;
    this.#ids.clear();
    return size;
  }

  async #shown(): Promise<ShownJob[]> {
    const newest = await this.#call<ShownJob[]>('GET', `${PATH}?limit=100`);
    return newest.filter(({ id }) => this.#ids.has(id));
  }

  async #until(isDone: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error('speech jobs took too long');
      await delay(POLL_MS);
    }
  }

  async #call<T>(method: string, path: string, body?: string): Promise<T> {
    const { url, headers } = this.#target;
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      body: body ?? null,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}
