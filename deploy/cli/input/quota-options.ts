import { type Command } from 'commander';

/** The options that `addQuotaOptions` adds, as they were given. */
export interface QuotaOptions {
  quotaRequests?: string;
  quotaTokens?: string;
  quotaAudioSeconds?: string;
}

/** The value that removes a quota, so that the default applies. */
const DEFAULT = 'default';

/** Adds the options that set quotas. */
export function addQuotaOptions(command: Command): Command {
  return command
    .option('--quota-requests <policy>', 'requests that may be made, e.g. "10000 per 1 day", or `unlimited`, or `default`')
    .option('--quota-tokens <policy>', 'the same for tokens of chats, in and out')
    .option('--quota-audio-seconds <policy>', 'the same for seconds of audio that is spoken or written down');
}

/** Converts the options to quotas of the control plane; undefined when none was given. */
export function toQuotaFields({ quotaRequests, quotaTokens, quotaAudioSeconds }: QuotaOptions): Record<string, string | null> | undefined {
  const given = Object.entries({ requests: quotaRequests, tokens: quotaTokens, audio_seconds: quotaAudioSeconds });
  const quotas = given.flatMap(([name, policy]) => (policy === undefined ? [] : [[name, policy === DEFAULT ? null : policy] as const]));
  return quotas.length === 0 ? undefined : Object.fromEntries(quotas);
}
