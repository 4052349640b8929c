import { z } from 'zod';
import { name } from '../../fields.ts';

/** How long those may take that write every conversation of a connection, in milliseconds. */
export const BULK_CHANGE_TIMEOUT_MS = 60_000;

/** A label is a header value (X-Service-Upstream-Account), so it keeps to what needs no quoting. */
export const label = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes and underscores');

/** Where the upstream is. */
export const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_000);

/** What an account logs in with; stored encrypted, never answered. */
export const credential = z.string().min(1, 'must not be empty').max(10_000);

/** Turns at once in each chat-routing process. */
export const maxConcurrency = z.int().min(1).max(4_096).meta({ description: 'Concurrent turns in each chat-routing process.' });

/** Names of models. */
export const models = z.array(name).max(1_000);

/** Request parameters that the upstream gets; chat-routing knows which can be. */
export const pass = z
  .array(z.string().min(1).max(100))
  .max(50)
  .meta({ description: 'Request parameters that are passed to the upstream, such as `temperature`.' });

/** Alias to model. */
export const aliases = z.record(z.string().min(1).max(200), name).meta({ description: 'Alias to model of this connection.' });
