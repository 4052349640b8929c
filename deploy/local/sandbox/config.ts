import { z } from 'zod';
import { accountSchema, type SandboxOptions } from './options.ts';

const port = z.coerce.number().int().min(0).max(65_535).optional();

const accounts = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.array(accountSchema))
  .optional();

const envSchema = z.object({
  /** @default any free port */
  PARLEY_SANDBOX_PORT: port,
  /** @default '127.0.0.1' */
  PARLEY_SANDBOX_HOST: z.string().optional(),
  /** @default memory only */
  PARLEY_SANDBOX_DATA_DIR: z.string().optional(),
  /** @default 25 */
  PARLEY_SANDBOX_DELAY_MS: z.coerce.number().nonnegative().optional(),
  /** @default '0' */
  PARLEY_SANDBOX_CONTROL: z.enum(['0', '1']).optional(),
  /** @default any free port */
  PARLEY_SANDBOX_CONTROL_PORT: port,
  /** Accounts as a JSON array. */
  PARLEY_SANDBOX_ACCOUNTS: accounts,
});

/**
 * Reads the sandbox's options from the environment; an empty variable counts as absent.
 * @throws Error naming the invalid variable, in one line
 */
export function readSandboxConfig(env: Readonly<Record<string, string | undefined>>): SandboxOptions {
  const set = Object.fromEntries(Object.entries(env).filter(([name, value]) => name.startsWith('PARLEY_SANDBOX_') && value !== ''));
  const result = envSchema.safeParse(set);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'invalid'}`);
  }
  const read = result.data;
  return {
    host: read.PARLEY_SANDBOX_HOST,
    port: read.PARLEY_SANDBOX_PORT,
    dataDir: read.PARLEY_SANDBOX_DATA_DIR,
    delayMs: read.PARLEY_SANDBOX_DELAY_MS,
    control: read.PARLEY_SANDBOX_CONTROL === '1',
    controlPort: read.PARLEY_SANDBOX_CONTROL_PORT,
    accounts: read.PARLEY_SANDBOX_ACCOUNTS,
  };
}
