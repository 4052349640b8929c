import { startParley } from './parley.ts';
import { type Target } from './target.ts';

/** Parley with every service in a process of its own. */
export const parleySeparate: Target = { name: 'parley-separate', start: (site) => startParley(site, 'separate') };
