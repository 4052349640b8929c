import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { type SpeechVoice } from '../../domain/voice.ts';
import { readJson } from '../read-json.ts';
import { withRetries } from '../with-retries.ts';
import { callElevenLabs } from './call-elevenlabs.ts';
import { OUTPUT_SAMPLE_RATE_HZ } from './output-sample-rate.ts';

/** Maximum page size of the API. */
const PAGE = 100;
/** Maximum number of pages; accounts may have some hundreds of voices. */
const MAX_PAGES = 10;
const PAGE_MS = 5_000;
/** Maximum size of a page in bytes; a voice includes its samples and settings. */
const MAX_BYTES = 8 * 1_024 ** 2;

/** https://elevenlabs.io/docs/api-reference/voices/search */
const voice = z.object({
  voice_id: z.string().min(1),
  name: z.string().nullish(),
  category: z.string().nullish(),
  labels: z.record(z.string(), z.string().nullish()).nullish(),
  verified_languages: z.array(z.object({ language: z.string(), locale: z.string().nullish() })).nullish(),
});
const page = z.object({ voices: z.array(voice), has_more: z.boolean().nullish(), next_page_token: z.string().nullish() });

type Listed = z.output<typeof voice>;

/** Language tags of English accents, which most voices have; labels contain only the name of the accent. */
const ENGLISH: Readonly<Record<string, string>> = {
  ...{ american: 'en-US', british: 'en-GB', australian: 'en-AU', irish: 'en-IE', indian: 'en-IN', canadian: 'en-CA' },
};

/**
 * Returns the voices of an account, 1,000 at most. Voices that every account has come first, so that the mapping of OpenAI's names does not
 * change with each added voice.
 * @throws coded errors; the signal's reason
 */
export async function listVoices(connection: AcquiredConnection, signal: AbortSignal): Promise<readonly SpeechVoice[]> {
  const all: Listed[] = [];
  let token: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const query = new URLSearchParams({ page_size: String(PAGE), ...(token !== undefined && { next_page_token: token }) });
    const { voices, has_more: hasMore, next_page_token: next } = await readPage(connection, query, signal);
    all.push(...voices);
    if (hasMore !== true || !next) break;
    token = next;
  }
  const isOwn = ({ category }: Listed) => Number(category !== 'premade');
  return all.toSorted((a, b) => isOwn(a) - isOwn(b)).map(toVoice);
}

function readPage(connection: AcquiredConnection, query: URLSearchParams, signal: AbortSignal): Promise<z.output<typeof page>> {
  return withRetries(
    signal,
    async (attempt) => {
      const response = await callElevenLabs(connection, `/v2/voices?${query.toString()}`, attempt);
      const parsed = page.safeParse(await readJson(response, MAX_BYTES));
      if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'ElevenLabs answered with something that is no list of voices');
      return parsed.data;
    },
    PAGE_MS,
  );
}

function toVoice({ voice_id: id, name, labels, verified_languages: verified }: Listed): SpeechVoice {
  const { gender = '', accent = '', language: label } = labels ?? {};
  const [first] = verified ?? [];
  const language = label ?? first?.language ?? 'mul';
  const locale = verified?.find((one) => one.language === language)?.locale;
  const dialect = locale ?? (language === 'en' ? ENGLISH[accent?.toLowerCase() ?? ''] : undefined) ?? '';
  return {
    id,
    name: name ?? id,
    language,
    dialect,
    gender: gender === 'female' || gender === 'male' ? gender : 'neutral',
    sampleRate: OUTPUT_SAMPLE_RATE_HZ,
  };
}
