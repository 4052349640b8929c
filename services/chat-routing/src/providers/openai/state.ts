import { z } from 'zod';
import { stateReader } from '../upstream-state.ts';

/** Where a conversation stands upstream. Kept as the binding's opaque state. */
const upstreamState = z.object({
  conversation: z.string().min(1),
  /** The newest item of it; absent when a turn did not come to its end there, and nobody knows what it holds. */
  last: z.string().min(1).optional(),
  /** The one it took the place of. It goes with the next turn: only then is it certain that nobody goes back to it. */
  replaced: z.string().min(1).optional(),
});

export type UpstreamState = z.infer<typeof upstreamState>;

/** Where a conversation stood last; undefined where there is none yet. Throws CONVERSATION_CONTINUITY_LOST for what this adapter never told. */
export const readState = stateReader(upstreamState);
