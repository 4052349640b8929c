import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where `npm start` keeps what it obtained; shared, so that nothing is obtained for every test. */
export const SHARED_CACHE = fileURLToPath(new URL('../../../.parley/cache', import.meta.url));

/** What `npx parley` runs. */
export const CLI_SCRIPT = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url));

/** What `npm start` runs. */
export const START_SCRIPT = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));
