/** Scopes that an API key may carry. */
export const SCOPES = ['chat', 'conversations', 'audio', 'actions:read', 'actions:run'] as const;

/** A scope of an API key. */
export type Scope = (typeof SCOPES)[number];
