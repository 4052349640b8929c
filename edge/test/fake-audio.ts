import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import {
  type Abilities,
  type AudioServiceService,
  type CreateJobRequest,
  type Job,
  type ListJobsRequest,
  type ListVoicesRequest,
  type Provider,
  type SpeakRequest,
  type SpeakResponse,
  type TranscribeRequest,
  type Transcription,
  type TranscriptionHead,
  type TranscriptionTimes,
  type Voice,
} from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';

const NOW = new Date('2025-01-31T12:00:00.000Z');
const DAY_MS = 86_400_000;

/** What the only provider says of itself. */
const FLITE: Provider = {
  name: 'flite',
  kind: 'embedded',
  available: true,
  reason: '',
  isDefault: true,
  responseFormats: ['wav', 'pcm'],
  languages: ['en'],
  maxInputCharacters: 10_000,
  optionsSchema: '{"type":"object","properties":{"rate":{"type":"number"}}}',
  supportsSpeed: true,
  voices: 2,
};

const VOICES: readonly Voice[] = [
  { id: 'slt', name: 'SLT', provider: 'flite', language: 'en', dialect: 'en-US', gender: 'female', sampleRate: 16_000 },
  { id: 'awb', name: 'AWB', provider: 'flite', language: 'en', dialect: 'en-GB', gender: 'male', sampleRate: 16_000 },
];

const ALL: Abilities = {
  speech: true,
  speechProvider: 'flite',
  transcription: true,
  transcriptionProvider: 'pocketsphinx',
  transcriptionReason: '',
};

interface Kept {
  job: Job;
  workspaceId: string;
  key: string;
  digest: string;
}

/** A transcription that was asked for: its heads, and what came between them. */
export interface Heard {
  heads: TranscriptionHead[];
  bytes: Buffer;
  call: Call;
}

/** Plays the audio service: jobs in memory that move when a test says so. */
export class FakeAudio {
  kept = new Map<string, Kept>();
  /** Every call with its method, for looking at callers and requests. */
  calls: { method: string; request: unknown; call: Call }[] = [];
  heard: Heard[] = [];
  /** Uploads that broke off, with what they broke off with. */
  broken: unknown[] = [];
  abilities = ALL;
  /** Thrown by every method while it is set. */
  failure: GatewayError | undefined;
  /** Never answers while it is set. */
  isSilent = false;
  /** Base URL of the listener that downloads are sent to. */
  listener = '';
  /** Speaks; by default a head and two chunks. */
  speech: (request: SpeakRequest, call: Call) => AsyncIterable<SpeakResponse> = spoken;
  /** Called with every chunk of a transcription; a test refuses or waits here. */
  taking: (chunk: Uint8Array) => void | Promise<void> = () => undefined;
  /** What all audio says. */
  text = 'hello world';
  /** And when. */
  times: TranscriptionTimes = {
    segments: [{ text: 'hello world', startSeconds: 0.25, endSeconds: 1.5 }],
    words: [
      { text: 'hello', startSeconds: 0.25, endSeconds: 0.75 },
      { text: 'world', startSeconds: 0.75, endSeconds: 1.5 },
    ],
  };

  handlers(): Handlers<typeof AudioServiceService> {
    return {
      createJob: this.#on('createJob', (request: CreateJobRequest, call) => this.#create(request, call)),
      listJobs: this.#on('listJobs', ({ status, limit, offset }: ListJobsRequest, { caller }) => {
        const own = [...this.kept.values()].filter(({ workspaceId }) => workspaceId === caller.workspaceId).map(({ job }) => job);
        const jobs = own.filter((job) => status === '' || job.status === status).reverse();
        return { jobs: jobs.slice(offset, offset + limit), total: jobs.length };
      }),
      getJob: this.#on('getJob', ({ id }: { id: string }, call) => this.#open(id, call)),
      cancelJob: this.#on('cancelJob', ({ id }: { id: string }, call) => {
        if (['completed', 'failed', 'cancelled'].includes(this.#open(id, call).status)) {
          throw new GatewayError('AUDIO_JOB_NOT_CANCELLABLE', 'the job has ended');
        }
        return this.move(id, { status: 'cancelled' });
      }),
      retryJob: this.#on('retryJob', ({ id }: { id: string }, call) => {
        const failed = this.#open(id, call);
        if (failed.status !== 'failed') throw new GatewayError('VALIDATION_ERROR', 'only a failed job is repeated', { param: 'job_id' });
        const { voice, inputCharacters } = failed;
        return this.keep({ voice, inputCharacters, status: 'queued', retryOf: id }, call.caller.workspaceId);
      }),
      openContent: this.#on('openContent', ({ id }: { id: string }, call) => {
        const { status, expiresAt } = this.#open(id, call);
        if (status !== 'completed') throw new GatewayError('AUDIO_NOT_READY', 'the job is not completed');
        if (expiresAt && expiresAt < NOW) throw new GatewayError('AUDIO_EXPIRED', 'the audio was deleted');
        return { path: `/content/${id}?ticket=secret`, baseUrl: this.listener };
      }),
      readContent: () => {
        throw new GatewayError('NOT_IMPLEMENTED', 'not played');
      },
      speak: (request, call) => {
        this.calls.push({ method: 'speak', request, call });
        if (this.failure) throw this.failure;
        return this.speech(request, call);
      },
      transcribe: this.#on('transcribe', (frames: AsyncIterable<TranscribeRequest>, call) => this.#transcribe(frames, call)),
      listProviders: this.#on('listProviders', () => ({ providers: [FLITE] })),
      listVoices: this.#on('listVoices', ({ provider, dialect, gender }: ListVoicesRequest) => {
        this.#provider(provider);
        const isAsked = (voice: Voice) => (!dialect || voice.dialect === dialect) && (!gender || voice.gender === gender);
        return { voices: VOICES.filter(isAsked) };
      }),
      getProvider: this.#on('getProvider', ({ provider }: { provider: string }) => this.#provider(provider)),
      getAbilities: this.#on('getAbilities', () => (this.isSilent ? new Promise<never>(() => undefined) : this.abilities)),
    };
  }

  /** Puts a job into a workspace. */
  keep(change: Partial<Job>, workspaceId: string, { key = '', digest = '' } = {}): Job {
    const kept = job(change);
    this.kept.set(kept.id, { job: kept, workspaceId, key, digest });
    return kept;
  }

  /** Changes a job. */
  move(id: string, change: Partial<Job>): Job {
    const kept = this.kept.get(id);
    if (!kept) throw new Error(`no job ${id}`);
    return (kept.job = { ...kept.job, ...change });
  }

  #on<Req, Res>(method: string, answer: (request: Req, call: Call) => Res | Promise<Res>) {
    return async (request: Req, call: Call): Promise<Res> => {
      this.calls.push({ method, request, call });
      if (this.failure) throw this.failure;
      return answer(request, call);
    };
  }

  #create({ input, voice, provider, idempotencyKey: key, requestDigest, ...rest }: CreateJobRequest, { caller }: Call): Job {
    const digest = Buffer.from(requestDigest).toString('hex');
    const isSame = (kept: Kept) => key !== '' && kept.key === key && kept.workspaceId === caller.workspaceId;
    const known = [...this.kept.values()].find(isSame);
    if (known && known.digest !== digest) {
      throw new GatewayError('VALIDATION_ERROR', 'the key was used for another body', { param: 'Idempotency-Key' });
    }
    if (known) return known.job;
    this.#provider(provider || 'flite');
    if (!VOICES.some(({ id }) => id === voice)) throw new GatewayError('VOICE_NOT_FOUND', 'no such voice', { param: 'voice' });
    const { model, language, responseFormat } = rest;
    const about = { voice, model, language, responseFormat, inputCharacters: input.length };
    return this.keep({ ...about, status: 'queued' }, caller.workspaceId, { key, digest });
  }

  #open(id: string, { caller }: Call): Job {
    const kept = this.kept.get(id);
    if (kept?.workspaceId !== caller.workspaceId) throw new GatewayError('AUDIO_JOB_NOT_FOUND', 'no such job');
    return kept.job;
  }

  #provider(name: string): Provider {
    if (name !== FLITE.name) throw new GatewayError('AUDIO_PROVIDER_NOT_FOUND', 'no such provider', { param: 'provider' });
    return FLITE;
  }

  async #transcribe(frames: AsyncIterable<TranscribeRequest>, call: Call): Promise<Transcription> {
    const heads: TranscriptionHead[] = [];
    const chunks: Uint8Array[] = [];
    try {
      for await (const { frame } of frames) {
        if (frame?.$case === 'head') heads.push(frame.value);
        if (frame?.$case !== 'chunk') continue;
        await this.taking(frame.value);
        chunks.push(frame.value);
      }
      if (call.abortReason) throw call.abortReason;
    } catch (error) {
      this.broken.push(error);
      throw error;
    }
    const heard = { heads, bytes: Buffer.concat(chunks), call };
    this.heard.push(heard);
    if (!heard.bytes.subarray(0, 4).equals(Buffer.from('RIFF'))) throw new GatewayError('AUDIO_VALIDATION_FAILED', 'this is no audio');
    const times = heads.at(-1)?.wantsTimes ? { times: this.times } : {};
    return {
      text: this.text,
      language: heads.at(-1)?.language || 'en',
      durationSeconds: 1.5,
      model: 'pocketsphinx',
      jobId: uuidv7(),
      ...times,
    };
  }
}

function job(change: Partial<Job>): Job {
  return {
    id: uuidv7(),
    status: 'created',
    provider: 'flite',
    voice: 'slt',
    outputMimeType: '',
    outputSizeBytes: 0,
    durationMs: 0,
    createdAt: NOW,
    updatedAt: NOW,
    expiresAt: new Date(NOW.getTime() + DAY_MS),
    inputCharacters: 5,
    retryOf: '',
    progress: 0,
    model: '',
    language: '',
    responseFormat: 'wav',
    ...change,
  };
}

/** What every text takes to say here. */
export const SPOKEN_MS = 1_500;

async function* spoken({ input }: SpeakRequest): AsyncGenerator<SpeakResponse> {
  yield { frame: { $case: 'head', value: { mimeType: 'audio/wav', durationMs: SPOKEN_MS } } };
  yield { frame: { $case: 'chunk', value: Buffer.from('RIFF') } };
  yield { frame: { $case: 'chunk', value: Buffer.from(input) } };
}
