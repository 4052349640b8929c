import { type SpeechSynthesizer } from './audio/speech-synthesizer.ts';
import { type Generation } from './generation/generation.ts';
import { type Pacing } from './generation/pacing.ts';
import { type Challenges } from './sign-in/challenges.ts';
import { type SandboxState } from './state/sandbox-state.ts';
import { type FileContents } from './storage/file-contents.ts';
import { type FileStore } from './storage/file-store.ts';

/** Dependencies of all handlers. */
export interface SandboxContext {
  readonly sandboxState: SandboxState;
  /** The bytes of uploaded files. */
  readonly store: FileStore;
  /** The extracted contents of uploaded files. */
  readonly contents: FileContents;
  readonly speechSynthesizer: SpeechSynthesizer;
  readonly pacing: Pacing;
  readonly sessionTtlMs: number;
  /** Sign-ins in progress. */
  readonly challenges: Challenges;
  /** Replies in progress, which continue without readers. */
  readonly runningGenerations: Set<Generation>;
  /** Receives unexpected errors. */
  readonly onError: (error: unknown) => void;
}
