import { type Speaker } from './audio/speaker.ts';
import { type Generation } from './generation/generation.ts';
import { type Pacing } from './generation/pacing.ts';
import { type Challenges } from './sign-in/challenges.ts';
import { type SandboxState } from './state/sandbox-state.ts';
import { type FileContents } from './storage/file-contents.ts';
import { type FileStore } from './storage/file-store.ts';

/** What every handler works on. */
export interface Sandbox {
  readonly sandboxState: SandboxState;
  /** The bytes of uploaded files. */
  readonly store: FileStore;
  /** What uploaded files say. */
  readonly contents: FileContents;
  readonly speaker: Speaker;
  readonly pacing: Pacing;
  readonly sessionTtlMs: number;
  /** Who is signing in. */
  readonly challenges: Challenges;
  /** Replies that go on without readers too. */
  readonly running: Set<Generation>;
  /** Receives what should never happen. */
  readonly onError: (error: unknown) => void;
}
