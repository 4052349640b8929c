import { z } from 'zod';

const MODES = ['start', 'never', 'only'] as const;

/**
 * What a process does with the migrations of its schema: `start` applies them before it serves, `never` waits until another process has,
 * `only` applies them and exits.
 */
export type MigrateMode = (typeof MODES)[number];

/** The field of `PARLEY_MIGRATE`. @default 'start' */
export const migrateMode = z.enum(MODES, `must be one of ${MODES.join(', ')}`).default('start');
