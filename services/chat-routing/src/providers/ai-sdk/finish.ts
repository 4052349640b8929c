import { type LanguageModelV3FinishReason, type LanguageModelV3Usage } from '@ai-sdk/provider';
import { type UpstreamOutcome } from '../upstream-turn.ts';

/** Whether a stream came to its end without the upstream having ended the answer. */
export function isCutOff({ unified, raw }: LanguageModelV3FinishReason): boolean {
  return raw === undefined && (unified === 'other' || unified === 'error');
}

/** The reason of an end by its name in the Chat Completions API. A turn has no tools, so that whatever is none of these is an ordinary end. */
export function toFinishReason({ unified }: LanguageModelV3FinishReason): string {
  if (unified === 'length') return 'length';
  return unified === 'content-filter' ? 'content_filter' : 'stop';
}

/** Totals as the provider counts them: what it read from a cache and what it thought are in them. Undefined where it counts nothing. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): UpstreamOutcome['usage'] {
  const [tokensIn = 0, tokensOut = 0] = [inputTokens.total, outputTokens.total];
  // Some SDKs report zero where the provider reported nothing.
  return tokensIn === 0 && tokensOut === 0 ? undefined : { tokensIn, tokensOut };
}
