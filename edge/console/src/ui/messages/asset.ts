import { type components } from '../../api/generated/me.ts';

/** A file of a conversation. */
export type Asset = components['schemas']['Asset'];
