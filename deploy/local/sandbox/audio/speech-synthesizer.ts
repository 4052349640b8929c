import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type FliteVoice } from './voices.ts';

/** A text to synthesize, with its voice and speed. */
export interface SpeechInput {
  readonly text: string;
  readonly voice: FliteVoice;
  /** 1 is the normal speed of the voice. */
  readonly speed: number;
}

interface Pending {
  readonly resolve: (wav: Buffer) => void;
  readonly reject: (reason: Error) => void;
}

type Answer = { readonly id: number; readonly wav: Uint8Array } | { readonly id: number; readonly error: string };

/** Synthesizes speech with flite in a worker thread, which starts with the first text. */
export class SpeechSynthesizer {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private asked = 0;

  /** Resolves with the speech as a WAV file, 16-bit mono, at the voice's sample rate. */
  synthesize({ text, voice, speed }: SpeechInput): Promise<Buffer> {
    this.worker ??= this.start();
    const { worker } = this;
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      worker.postMessage({ id, text, voice, stretch: 1 / speed });
    });
  }

  /** Ends the thread; pending texts reject. */
  async close(): Promise<void> {
    const { worker } = this;
    this.fail(new Error('the speaker is closed'));
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(createRequire(import.meta.url).resolve('#speak-worker'));
    worker.unref();
    worker.on('message', (answer: Answer) => {
      const pending = this.pending.get(answer.id);
      this.pending.delete(answer.id);
      if ('wav' in answer) pending?.resolve(Buffer.from(answer.wav));
      else pending?.reject(new Error(answer.error));
    });
    worker.on('error', (error) => {
      if (this.worker === worker) this.fail(error);
    });
    return worker;
  }

  private fail(reason: Error): void {
    this.worker = undefined;
    for (const { reject } of this.pending.values()) reject(reason);
    this.pending.clear();
  }
}
