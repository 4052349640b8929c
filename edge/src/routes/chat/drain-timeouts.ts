import { type ChatDeps } from './deps.ts';

/** Answers that are still open this long before the end of a drain, in milliseconds, fail with SHUTTING_DOWN. */
const DRAIN_SLACK_MS = 5_000;

/** How long a drain waits for open answers, in milliseconds. */
export function getDrainTimeoutMs({ drainMs }: ChatDeps['config']): number {
  return Math.max(0, drainMs - DRAIN_SLACK_MS);
}

/** How long an answer may wait for its assets, in milliseconds: 0 in a drain that ends before that wait. */
export function getAssetWaitMs({ config, draining }: Pick<ChatDeps, 'config' | 'draining'>): number {
  return draining.aborted && getDrainTimeoutMs(config) < config.assetWaitMs ? 0 : config.assetWaitMs;
}
