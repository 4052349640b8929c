import { type ErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { uuid } from '../fields.ts';

/** The path parameter with the id of an asset. */
export const assetParams = z.object({ asset_id: uuid });

/** Error codes of every operation on one asset. */
export const ASSET_ERRORS = ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'] as const satisfies readonly ErrorCondition[];

/** Error codes of retrying an asset, which must have failed. */
export const RETRY_ASSET_ERRORS = [...ASSET_ERRORS, 'ASSET_NOT_RETRYABLE'] as const satisfies readonly ErrorCondition[];

/** Error codes of downloading an asset. */
export const ASSET_DOWNLOAD_ERRORS = [
  ...ASSET_ERRORS,
  'ASSET_NOT_READY',
  'RANGE_NOT_SATISFIABLE',
] as const satisfies readonly ErrorCondition[];
