/** Matches the slugs that the gateway accepts. */
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Maximum number of characters of a slug. */
export const MAX_SLUG_LENGTH = 64;
