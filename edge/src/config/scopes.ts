/** Scopes that an API key may carry. */
export const SCOPES = ['chat', 'conversations', 'audio', 'actions:read', 'actions:run'] as const;

/** One of the scopes. */
export type Scope = (typeof SCOPES)[number];
