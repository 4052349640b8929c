import { startParley } from './parley.ts';
import { type Target } from './target.ts';

/** Parley with all services in one process. */
export const parleySingle: Target = { name: 'parley-single', start: (site) => startParley(site, 'single') };
