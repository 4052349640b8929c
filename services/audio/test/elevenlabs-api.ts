import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What ElevenLabs answers for one voice, as far as it is read. */
export interface ApiVoice {
  voice_id: string;
  name: string;
  category: string;
  labels: Record<string, string>;
  verified_languages?: { language: string; model_id: string; accent: string; locale: string | null }[];
}

/** A request as it came. */
export interface ApiRequest {
  method: string;
  url: URL;
  key: string | undefined;
  body: Record<string, unknown>;
  res: ServerResponse;
  /** The client left before the answer was complete. */
  isClosed: boolean;
}

/** Answers one request in place of the API. */
export type Answer = (request: ApiRequest) => void | Promise<void>;

/** A premade voice and one that the account has cloned. */
export const VOICES: readonly ApiVoice[] = [
  {
    ...{ voice_id: 'pNInz6obpgDQGcFmaJgB', name: 'My own voice', category: 'cloned' },
    labels: { gender: 'male', accent: 'swedish', language: 'sv' },
  },
  {
    ...{ voice_id: 'JBFqnCBsd6RMkjVDRZzb', name: 'George', category: 'premade' },
    labels: { accent: 'british', descriptive: 'warm', age: 'middle_aged', gender: 'male', language: 'en', use_case: 'narrative_story' },
    verified_languages: [{ language: 'en', model_id: 'eleven_v2_flash', accent: 'british', locale: 'en-GB' }],
  },
  {
    ...{ voice_id: 'EXAVITQu4vr4xnSDxMaL', name: 'Sarah', category: 'premade' },
    labels: { accent: 'american', gender: 'female', language: 'en' },
  },
  { voice_id: 'SAz9YHcvj6GT2YYXdXww', name: 'River', category: 'premade', labels: { gender: 'neutral' } },
];

/** Bytes of audio that every text becomes: a tenth of a second. */
export const AUDIO_BYTES = 4_800;

/** Models, and whether they can be held to a language and take the text around a passage. */
const MODELS: Readonly<Record<string, { language: boolean; context: boolean }>> = {
  eleven_multilingual_v2: { language: false, context: true },
  eleven_flash_v2_5: { language: true, context: true },
  eleven_v3: { language: true, context: false },
};

/** A refusal in their form; the message repeats what must not be relayed. */
export function refuse({ res }: Pick<ApiRequest, 'res'>, status: number, detail: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
}

/** A refusal as most of them are: a status of theirs and a message. */
export const refusing =
  (status: number, name: string): Answer =>
  (request) =>
    refuse(request, status, { status: name, message: `in their words: ${JSON.stringify(request.body)}` });

/** ElevenLabs' API on a free plan, as far as speech goes: voices by pages, audio in chunks, refusals as they word them. */
export class ElevenLabsApi {
  readonly received: ApiRequest[] = [];
  /** Answers for the next requests, before the API answers by itself. */
  readonly next: Answer[] = [];
  voices = VOICES;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((req, res) => void this.#serve(req, res));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests for speech. */
  get spoken(): ApiRequest[] {
    return this.received.filter(({ method }) => method === 'POST');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const bytes = await buffer(req);
    const { method = '', headers } = req;
    const key = headers['xi-api-key'] as string | undefined;
    const body = bytes.length > 0 ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {};
    const request: ApiRequest = { method, url: new URL(req.url ?? '', this.url), key, body, res, isClosed: false };
    res.on('close', () => (request.isClosed = !res.writableFinished));
    this.received.push(request);
    await (this.next.shift() ?? ((one: ApiRequest) => this.#answer(one)))(request);
  }

  async #answer(request: ApiRequest): Promise<void> {
    const { method, url, key } = request;
    if (key !== 's') return refuse(request, 401, { status: 'invalid_api_key', message: 'Invalid API key' });
    if (method === 'GET' && url.pathname === '/v1/models') return this.#listModels(request);
    if (method === 'GET' && url.pathname === '/v2/voices') return this.#listVoices(request);
    const [, voice] = /^\/v1\/text-to-speech\/([^/]+)\/stream$/.exec(url.pathname) ?? [];
    if (method === 'POST' && voice !== undefined) return this.#speak(request, voice);
    return refuse(request, 404, 'Not Found');
  }

  #listModels({ res }: ApiRequest): void {
    const models = Object.keys(MODELS).map((id) => ({ model_id: id, name: id, can_do_text_to_speech: true }));
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(models));
  }

  #listVoices({ url, res }: ApiRequest): void {
    const [size, from] = [Number(url.searchParams.get('page_size')), Number(url.searchParams.get('next_page_token') ?? 0)];
    const to = from + size;
    const hasMore = to < this.voices.length;
    const page = { voices: this.voices.slice(from, to), has_more: hasMore, total_count: this.voices.length };
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ ...page, next_page_token: hasMore ? String(to) : null }));
  }

  async #speak(request: ApiRequest, voice: string): Promise<void> {
    const { url, body, res } = request;
    const model = MODELS[String(body['model_id'])];
    const speed = Number((body['voice_settings'] as { speed?: number } | undefined)?.speed ?? 1);
    if (!this.voices.some(({ voice_id: id }) => id === voice)) {
      const message = `A voice with voice_id '${voice}' was not found.`;
      return refuse(request, 404, { type: 'not_found', code: 'voice_not_found', status: 'voice_not_found', message });
    }
    if (url.searchParams.get('output_format') !== 'pcm_24000')
      return refuse(request, 403, { status: 'output_format_not_allowed', message: 'only available on the Pro tier and above' });
    if (!model) return refuse(request, 400, { status: 'model_not_found', message: 'A model with this model ID does not exist' });
    if (String(body['text']).length > 2_500) return refuse(request, 400, { status: 'max_character_limit_exceeded', message: 'too long' });
    if ('language_code' in body && !model.language)
      return refuse(request, 400, { status: 'unsupported_language', message: 'the model does not support language_code' });
    if (('previous_text' in body || 'next_text' in body) && !model.context)
      return refuse(request, 400, { status: 'unsupported_model', message: 'previous_text is not yet supported with this model' });
    if (speed < 0.7 || speed > 1.2) return refuse(request, 400, { status: 'invalid_voice_settings', message: 'Invalid setting for speed' });
    res.writeHead(200, { 'content-type': 'audio/pcm', 'request-id': 'r' });
    for (let sent = 0; sent < AUDIO_BYTES; sent += AUDIO_BYTES / 4) {
      res.write(Buffer.alloc(AUDIO_BYTES / 4, 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    res.end();
  }
}
