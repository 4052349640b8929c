/** Characters that instructions may have. */
export const MOST_INSTRUCTIONS = 32_000;

/** Bytes that a file may have. */
export const MOST_BYTES = 10 * 1024 ** 2;

/** Whose memories the conversations of a project share. */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;
