import { type LanguageModelV3FinishReason, type LanguageModelV3Usage } from '@ai-sdk/provider';
import { type UpstreamOutcome } from '../upstream-turn.ts';

/** Whether a stream ended before the upstream completed the answer. */
export function isTruncatedStream({ unified, raw }: LanguageModelV3FinishReason): boolean {
  return raw === undefined && (unified === 'other' || unified === 'error');
}

/** Converts the finish reason to that of the Chat Completions API: `stop`, `length` or `content_filter`. Turns use no tools. */
export function toFinishReason({ unified }: LanguageModelV3FinishReason): string {
  if (unified === 'length') return 'length';
  return unified === 'content-filter' ? 'content_filter' : 'stop';
}

/** Returns the provider's total token counts, including cached input and reasoning; undefined when it reports none. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): UpstreamOutcome['usage'] {
  const [tokensIn = 0, tokensOut = 0] = [inputTokens.total, outputTokens.total];
  // Some SDKs report zero where the provider reported nothing.
  return tokensIn === 0 && tokensOut === 0 ? undefined : { tokensIn, tokensOut };
}
