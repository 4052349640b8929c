import { z } from 'zod';

/** Kinds of second factors. */
export const SECOND_FACTORS = ['app', 'email'] as const;

export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** Steps of signing in after the password; a session is opened when all of them are complete. */
const signInSchema = z.object({
  /** Whether a one-time code is sent by e-mail. */
  one_time_code: z.boolean().default(false),
  /** Then a code of one of these is required: an authenticator app, or another e-mail. */
  second_factors: z.array(z.enum(SECOND_FACTORS)).max(SECOND_FACTORS.length).default([]),
  /** How long a code by e-mail is valid, in milliseconds. @default 300_000 */
  code_ttl_ms: z.number().int().nonnegative().optional(),
  /** How long a sign-in may take, in milliseconds. @default 600_000 */
  ttl_ms: z.number().int().nonnegative().optional(),
});

/** An account of the sandbox; `id` is also the login name. */
export const accountSchema = z.object({
  id: z.string().min(1).max(100),
  label: z.string().max(200),
  password: z.string().min(1),
  /** API key for the OpenAI-style API. */
  api_key: z.string().min(1).optional(),
  tier: z.enum(['free', 'plus', 'pro']).default('free'),
  /** Maximum number of chat requests per minute; unlimited when absent. */
  requests_per_minute: z.number().int().nonnegative().optional(),
  /** Whether it may generate images. @default true */
  images: z.boolean().optional(),
  /** Lifetime of its sessions in milliseconds. @default that of the server */
  session_ttl_ms: z.number().int().nonnegative().optional(),
  /** Further steps of signing in; when absent, the password suffices. */
  sign_in: signInSchema.optional(),
});

/** An account of the sandbox, as given in options, in the environment and over the control endpoint. */
export type Account = z.infer<typeof accountSchema>;

/** Options of `startSandbox`. */
export interface SandboxOptions {
  /** @default '127.0.0.1' */
  host?: string;
  /** @default 0 (any free port) */
  port?: number;
  /** Folder of the log and of files; memory only when absent. */
  dataDir?: string;
  /** Mean pause between two deltas in ms, 0 for none. @default 25 */
  delayMs?: number;
  /** @default 86_400_000 (24 h) */
  sessionTtlMs?: number;
  /** Opens the control endpoint, on loopback only. @default false */
  control?: boolean;
  /** @default 0 (any free port) */
  controlPort?: number;
  /** Accounts to create, or to replace when they exist. */
  accounts?: Account[];
  /** Receives failures of the sandbox itself. @default ignored */
  onError?: (error: unknown) => void;
}

export const DEFAULT_DELAY_MS = 25;
export const DEFAULT_SESSION_TTL_MS = 86_400_000;
