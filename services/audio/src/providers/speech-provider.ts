import { type Caller } from '@parley/kit/rpc/call';
import type { z } from 'zod';
import { type PcmAudio } from '../domain/pcm-audio.ts';
import { type SpeechVoice } from '../domain/voice.ts';

/** A text to be synthesized, with its settings. */
export interface SpeechRequest {
  input: string;
  /** Id of the voice at the provider. */
  voice: string;
  model: string;
  /** A BCP 47 tag; with an empty text the provider detects the language. */
  language: string;
  /** 0.25 to 4. */
  speed: number;
  /** Options as parsed by the provider's schema. */
  options: unknown;
}

/** The caller of the synthesis, its signal, its trace and the receiver of its progress. */
export interface SpeechContext {
  caller: Caller;
  signal: AbortSignal;
  /** `traceparent` of the span of the work. */
  traceparent?: string;
  /** Called with the completed fraction of the work, 0 to 1. */
  onProgress: (done: number) => void;
}

/** A speech provider; each has its own folder. */
export interface SpeechProvider {
  name: string;
  /** `connection`: usable with a connection of the same name. */
  kind: 'embedded' | 'connection';
  languages: readonly string[];
  /** Schema of `provider_options`. */
  options: z.ZodType;
  /** Resolves with the voices that the caller's workspace can use. @throws coded errors; the signal's reason */
  voices(caller: Caller, signal: AbortSignal): Promise<readonly SpeechVoice[]>;
  /** Synthesizes a text. @throws coded errors; the signal's reason */
  speak(request: SpeechRequest, context: SpeechContext): Promise<PcmAudio>;
}
