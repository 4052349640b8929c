import { z } from 'zod';

/** Faults of any operation; the README describes them. */
const ANYWHERE = [
  'rate_limited',
  'server_error',
  'bad_gateway_html',
  'slow_first_byte',
  'silent',
  'cut',
  'session_expired',
  'upgrade_required',
] as const;
const CHAT_ONLY = [
  'half_open',
  'garbage',
  'bad_json',
  'huge_event',
  'conversation_deleted',
  'parent_broken',
  'access_lost',
  'error_mid_stream',
  'image_refused',
] as const;
/** The operation is executed, but its response is lost. */
const UNHEARD = ['lost_answer'] as const;
const ARTIFACTS_ONLY = [
  'half_open',
  'artifact_not_ready',
  'artifact_missing',
  'artifact_slow',
  'artifact_html',
  'artifact_larger',
  'artifact_unsized',
] as const;
const AUDIO_ONLY = ['garbage', 'wrong_type'] as const;

const FAULTS_OF = {
  /** Turns, and reads of a branch. */
  chat: [...ANYWHERE, ...CHAT_ONLY],
  /** Uploads for conversations. */
  uploads: [...ANYWHERE, ...UNHEARD],
  /** Uploads into projects. */
  sources: [...ANYWHERE, ...UNHEARD, 'source_failed'],
  /** Removals of files from projects. */
  source_delete: [...ANYWHERE, ...UNHEARD],
  /** Downloads of artifacts. */
  artifacts: [...ANYWHERE, ...ARTIFACTS_ONLY],
  speech: [...ANYWHERE, ...AUDIO_ONLY],
  transcription: [...ANYWHERE, ...AUDIO_ONLY],
  project_create: [...ANYWHERE, ...UNHEARD, 'memory_policy_ignored'],
  project_update: [...ANYWHERE, ...UNHEARD],
  project_delete: [...ANYWHERE, ...UNHEARD],
  /** Every step of signing in to an existing account. */
  sign_in: [...ANYWHERE, ...UNHEARD],
  ticket_create: [...ANYWHERE, ...UNHEARD],
  ticket_update: [...ANYWHERE, ...UNHEARD],
} as const;

/** An operation to which faults can be applied. */
export type Operation = keyof typeof FAULTS_OF;

const OPERATIONS = Object.keys(FAULTS_OF) as [Operation, ...Operation[]];
const FAULT_NAMES = [...new Set(Object.values(FAULTS_OF).flat())] as [FaultName, ...FaultName[]];

export type FaultName = (typeof FAULTS_OF)[Operation][number];

/** Returns the only operation that a fault applies to; `chat` when there are several. */
function homeOf(fault: FaultName): Operation {
  const homes = OPERATIONS.filter((operation) => FAULTS_OF[operation].some((name) => name === fault));
  return homes.length === 1 && homes[0] !== undefined ? homes[0] : 'chat';
}

/** A fault to be applied, as the control endpoint accepts it. */
export const faultSchema = z
  .object({
    fault: z.enum(FAULT_NAMES),
    /** @default 'chat', or the only operation that can meet it */
    on: z.enum(OPERATIONS).optional(),
    /** Number of requests that it applies to; -1: until cleared. */
    count: z
      .number()
      .int()
      .min(-1)
      .default(1)
      .refine((count) => count !== 0, 'must be -1 or at least 1'),
    after_chunks: z.number().int().nonnegative().optional(),
    delay_ms: z.number().int().nonnegative().optional(),
    /** Restricts it to requests to this conversation. */
    conversation_id: z.string().optional(),
  })
  .transform((fault) => ({ ...fault, on: fault.on ?? homeOf(fault.fault) }))
  .refine(({ fault, on }) => FAULTS_OF[on].some((name) => name === fault), 'this operation cannot meet this fault');

export type Fault = z.infer<typeof faultSchema>;

/** A fault of the connection while a reply is being sent; the reply itself is complete upstream. */
export interface WireFault {
  readonly kind: 'half_open' | 'cut' | 'bad_json' | 'huge_event';
  readonly afterChunks: number;
}
