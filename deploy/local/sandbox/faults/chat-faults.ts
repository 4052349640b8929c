import { type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type AccountState } from '../state/accounts.ts';
import { type TurnError } from '../state/message-tree.ts';
import { createRateLimitError, toFaultError } from './fault-errors.ts';
import { type Fault, type FaultName, type WireFault } from './faults.ts';

const DEFAULT_CHUNKS = 3;
const DEFAULT_DELAY_MS = 5_000;
const WIRE: Partial<Record<FaultName, WireFault['kind']>> = {
  half_open: 'half_open',
  cut: 'cut',
  bad_json: 'bad_json',
  huge_event: 'huge_event',
};

/** An error that ends the reply after some pieces. */
export interface ReplyFault {
  readonly afterChunks: number;
  readonly error: TurnError;
}

/** The faults of an admitted chat request that occur later: in the reply, or while it is sent. */
export interface DeferredFaults {
  readonly wire?: WireFault;
  readonly reply?: ReplyFault;
}

/** Counts a chat response while it is open, and aborts by the client. */
export function trackOpenStream(res: ServerResponse, { counters }: AccountState): void {
  counters.openStreams++;
  res.once('close', () => {
    counters.openStreams--;
    if (res.writableFinished) return;
    counters.abortedConnections++;
    counters.lastAbortAt = new Date();
  });
}

/**
 * Applies the next fault of the account to a chat request, then the account's rate limit. Resolves undefined when the fault has taken over
 * the response.
 * @throws SandboxError for a fault that is an error response, and 429 over the limit
 */
export async function admitChatRequest(
  res: ServerResponse,
  state: AccountState,
  conversationId?: string,
): Promise<DeferredFaults | undefined> {
  const later = await applyChatFault(res, state, conversationId);
  if (later === undefined) return undefined;
  const seconds = state.requests.take(state.account.requests_per_minute ?? Infinity);
  if (seconds > 0) throw createRateLimitError(seconds);
  return later;
}

/**
 * Applies the next fault of the account to a request, without the rate limit. Resolves undefined when the fault has taken over the
 * response.
 * @throws SandboxError for a fault that is an error response
 */
export async function applyChatFault(
  res: ServerResponse,
  state: AccountState,
  conversationId?: string,
): Promise<DeferredFaults | undefined> {
  const fault = state.faults.take('chat', conversationId);
  if (fault === undefined) return {};
  return (await applyTakeoverFault(res, fault)) ? undefined : laterFault(fault);
}

const EVENTS = 'text/event-stream; charset=utf-8';

/**
 * Applies a fault that is not an error response; resolves true when it has taken over the response. `type`: the content type that the
 * client expects.
 */
export async function applyTakeoverFault(res: ServerResponse, fault: Fault, type = EVENTS): Promise<boolean> {
  return (await TAKE_OVERS[fault.fault]?.(res, fault, type)) ?? false;
}

type TakeOver = (res: ServerResponse, fault: Fault, type: string) => boolean | Promise<boolean>;

const TAKE_OVERS: Partial<Record<FaultName, TakeOver>> = {
  silent: () => true,
  slow_first_byte: async (res, fault) => !(await stillThere(res, fault.delay_ms ?? DEFAULT_DELAY_MS)),
  bad_gateway_html: (res) => {
    const title = '502 Bad Gateway';
    res.writeHead(502, { 'Content-Type': 'text/html' });
    res.end(`<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`);
    return true;
  },
  garbage: (res, _fault, type) => {
    res.writeHead(200, { 'Content-Type': type }).end(garbage());
    return true;
  },
};

/** Waits `ms` milliseconds; resolves true when the client is still connected. */
async function stillThere(res: ServerResponse, ms: number): Promise<boolean> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  res.once('close', leave);
  await wait(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  res.off('close', leave);
  return !gone.signal.aborted;
}

function laterFault(fault: Fault): DeferredFaults {
  const kind = WIRE[fault.fault];
  if (kind !== undefined) return { wire: { kind, afterChunks: fault.after_chunks ?? DEFAULT_CHUNKS } };
  const error = toFaultError(fault);
  if (error === undefined) return {};
  const midStream = fault.fault === 'error_mid_stream' || (fault.fault === 'image_refused' && fault.after_chunks !== undefined);
  if (!midStream) throw error;
  return { reply: { afterChunks: fault.after_chunks ?? DEFAULT_CHUNKS, error: { code: error.code, message: error.message } } };
}

/** Returns the same 4 KiB every time: invalid UTF-8, no events, some line ends. */
function garbage(): Buffer {
  const bytes = Buffer.alloc(4096);
  for (let at = 0, seed = 12_345; at < bytes.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = seed >> 16;
  }
  bytes.write('\xff\xfe\n\n', 0, 'latin1');
  return bytes;
}
