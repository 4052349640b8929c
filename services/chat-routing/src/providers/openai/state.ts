import { z } from 'zod';
import { stateReader } from '../upstream-state.ts';

/** Where a conversation stands upstream. Kept as the binding's opaque state. */
const upstreamState = z.object({
  conversation: z.string().min(1),
  /** The newest item of it; absent when a turn did not end there, so that its content is not known. */
  last: z.string().min(1).optional(),
  /** The conversation that this one replaced. The next turn deletes it: only then is it certain that no turn goes back to it. */
  replaced: z.string().min(1).optional(),
});

export type UpstreamState = z.infer<typeof upstreamState>;

/** The state of a conversation; undefined where there is none yet. Throws CONVERSATION_CONTINUITY_LOST for a state of another adapter. */
export const readState = stateReader(upstreamState);
