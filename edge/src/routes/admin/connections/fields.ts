import { z } from 'zod';
import { name } from '../../fields.ts';

/** Deadline of operations that write every conversation of a connection, in milliseconds. */
export const BULK_CHANGE_TIMEOUT_MS = 60_000;

/** The label of a connection. It is also a header value (X-Service-Upstream-Account), so it has only characters that need no quoting. */
export const label = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes and underscores');

/** Base URL of the upstream. */
export const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_000);

/** A secret with which an account logs in; stored encrypted and never returned. */
export const credential = z.string().min(1, 'must not be empty').max(10_000);

/** Limit of the concurrent turns of a connection in each chat-routing process. */
export const maxConcurrency = z.int().min(1).max(4_096).meta({ description: 'Concurrent turns in each chat-routing process.' });

/** Names of models. */
export const models = z.array(name).max(1_000);

/** Names of the request parameters that are passed to the upstream; chat-routing validates them. */
export const passedParameters = z
  .array(z.string().min(1).max(100))
  .max(50)
  .meta({ description: 'Request parameters that are passed to the upstream, such as `temperature`.' });

/** Model names by alias. */
export const aliases = z.record(z.string().min(1).max(200), name).meta({ description: 'Alias to model of this connection.' });
