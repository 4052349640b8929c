import { z } from 'zod';
import { name } from '../fields.ts';

/** How long the operations that ask an upstream may take, in milliseconds. */
export const UPSTREAM_MS = 30_000;

/** A label is a header value (X-Service-Upstream-Account), so it keeps to visible ASCII. */
export const label = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII');

/** Where the upstream is. */
export const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_000);

/** What an account logs in with; stored encrypted, never answered. */
export const credential = z.string().min(1, 'must not be empty').max(10_000);

/** Names of models. */
export const models = z.array(name).max(1_000);
