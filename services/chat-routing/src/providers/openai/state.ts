import { z } from 'zod';
import { createStateParser } from '../upstream-state.ts';

/** State of a conversation at the upstream, stored as the opaque `upstreamState` of its binding. */
const upstreamState = z.object({
  conversation: z.string().min(1),
  /** Id of its newest item; absent when the last turn did not complete there, so that its content is unknown. */
  last: z.string().min(1).optional(),
  /**
   * Id of the conversation that this one replaced. The next turn deletes it, because only then it is certain that no turn returns to it.
   */
  replaced: z.string().min(1).optional(),
});

/** A parsed state of a conversation at OpenAI. */
export type UpstreamState = z.infer<typeof upstreamState>;

/** Parses the state of a conversation; undefined for an empty one. Throws CONVERSATION_CONTINUITY_LOST for a state of another adapter. */
export const parseState = createStateParser(upstreamState);
