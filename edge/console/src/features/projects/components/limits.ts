/** Maximum number of characters of instructions. */
export const MAX_INSTRUCTION_CHARACTERS = 32_000;

/** Maximum size of a project file in bytes. */
export const MAX_PROJECT_FILE_BYTES = 10 * 1024 ** 2;

/** Whose memories the conversations of a project share. */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;
