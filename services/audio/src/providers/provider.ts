import { type Caller } from '@parley/kit/rpc/call';
import type { z } from 'zod';
import { type PcmAudio } from '../domain/pcm-audio.ts';
import { type SpeechVoice } from '../domain/voice.ts';

/** A text to be spoken. */
export interface SpeechRequest {
  input: string;
  /** As the provider calls it. */
  voice: string;
  model: string;
  /** A BCP 47 tag; empty: the provider's guess. */
  language: string;
  /** 0.25 to 4. */
  speed: number;
  /** As the provider's schema has parsed them. */
  options: unknown;
}

/** On whose behalf, and until when. */
export interface SpeechContext {
  caller: Caller;
  signal: AbortSignal;
  /** Of the span of the work. */
  traceparent?: string;
  /** Called with the part of the work that is done, 0 to 1. */
  onProgress: (done: number) => void;
}

/** A way to have text spoken; one folder each. */
export interface SpeechProvider {
  name: string;
  /** `connection`: usable with a connection of the same name. */
  kind: 'embedded' | 'connection';
  languages: readonly string[];
  /** What `provider_options` may hold. */
  options: z.ZodType;
  /** @throws what keeps the workspace from asking for them, coded; the signal's reason */
  voices(caller: Caller, signal: AbortSignal): Promise<readonly SpeechVoice[]>;
  /** @throws what keeps it from speaking, coded; the signal's reason */
  speak(request: SpeechRequest, context: SpeechContext): Promise<PcmAudio>;
}
