import { z } from 'zod';

/** What a client received of a turn. */
export interface TurnResult {
  /** Answered to the end; failed with an error frame; refused before it began; or the connection broke. */
  outcome: 'completed' | 'failed' | 'refused' | 'broken';
  /** Undefined without an answer. */
  status: number | undefined;
  /** Code of the error, if there was one. */
  code: string | undefined;
  conversation: string | undefined;
  message: string | undefined;
  text: string;
  tokensIn: number;
  tokensOut: number;
  /** Everything, as it came. */
  raw: string;
}

const frame = z.looseObject({
  message_id: z.string().optional(),
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().optional() }) })).optional(),
  usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
  error: z.looseObject({ code: z.string() }).optional(),
});

type Frame = z.infer<typeof frame>;

/** Reads a streamed answer until it ends or breaks; never rejects. */
export async function readTurnResult(open: () => Promise<Response>): Promise<TurnResult> {
  let response: Response;
  try {
    response = await open();
  } catch {
    return { ...parseAnswer(''), outcome: 'broken', status: undefined, conversation: undefined };
  }
  const { raw, isWhole } = await readAll(response);
  const said = parseAnswer(raw);
  return { ...said, outcome: outcomeOf(response, said, isWhole), status: response.status, conversation: conversationOf(response) };
}

function outcomeOf(response: Response, { raw, code }: Pick<TurnResult, 'raw' | 'code'>, isWhole: boolean): TurnResult['outcome'] {
  if (!response.ok) return isWhole ? 'refused' : 'broken';
  if (code !== undefined) return 'failed';
  return raw.endsWith('data: [DONE]\n\n') ? 'completed' : 'broken';
}

function conversationOf({ headers }: Response): string | undefined {
  return headers.get('x-service-conversation-id') ?? undefined;
}

/** What came until the end, or until the connection broke. */
async function readAll(response: Response): Promise<{ raw: string; isWhole: boolean }> {
  const decoder = new TextDecoder();
  let raw = '';
  try {
    for await (const bytes of response.body ?? []) raw += decoder.decode(bytes as Uint8Array, { stream: true });
    return { raw, isWhole: true };
  } catch {
    return { raw, isWhole: false };
  }
}

function parseAnswer(raw: string): Omit<TurnResult, 'outcome' | 'status' | 'conversation'> {
  const frames = raw.startsWith('{') ? [raw] : raw.split('\n\n').flatMap(dataOf);
  const read: Frame[] = frames.map((data) => frame.safeParse(parse(data)).data).filter((one) => one !== undefined);
  const usage = read.find((one) => one.usage)?.usage;
  return {
    raw,
    code: read.find(({ error }) => error)?.error?.code,
    message: read.find(({ message_id }) => message_id !== undefined)?.message_id,
    text: read.map(({ choices }) => choices?.[0]?.delta.content ?? '').join(''),
    tokensIn: usage?.prompt_tokens ?? 0,
    tokensOut: usage?.completion_tokens ?? 0,
  };
}

function dataOf(block: string): string[] {
  const line = block.split('\n').find((text) => text.startsWith('data: {'));
  return line === undefined ? [] : [line.slice('data: '.length)];
}

/** The last block of a broken stream may be half a frame. */
function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
