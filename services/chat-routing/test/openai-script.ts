import { type ResponseScript, stream } from '../src/providers/testing/upstream.ts';

const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const DONE = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 2 } })}\n\ndata: [DONE]\n\n`;

/** An OpenAI-compatible upstream that answers every turn with this text, as it is asked. */
export function answering(text: string): ResponseScript {
  return ({ path, body, res }) => {
    if (path.endsWith('/models')) return void list(res, 'm1', 'm2');
    if (!body.stream)
      return void json(res, 200, {
        choices: [{ message: { content: text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2 },
      });
    stream(res);
    res.end([...text].map(chunk).join('') + DONE);
  };
}

/** One that has these models, and no turns. */
export function listing(...models: string[]): ResponseScript {
  return ({ res }) => list(res, ...models);
}

/** One that says this and then nothing more, until `finish` is called with its response. */
export function beginning(text: string): ResponseScript {
  return ({ res }) => begin(res, text);
}

/** Begins an answer. */
export function begin(res: Parameters<ResponseScript>[0]['res'], text: string): void {
  stream(res);
  res.write(chunk(text));
}

/** Ends what `beginning` began. */
export function finish(res: Parameters<ResponseScript>[0]['res'] | undefined, text = ''): void {
  res?.end((text ? chunk(text) : '') + DONE);
}

/** One whose list of models answers otherwise than its turns. */
export function divided({ turns, list: models }: { turns: ResponseScript; list: ResponseScript }): ResponseScript {
  return (received) => (received.path.endsWith('/models') ? models : turns)(received);
}

/** One that refuses every turn. */
export function refusing(status: number, headers: Record<string, string> = {}): ResponseScript {
  return ({ res }) => void res.writeHead(status, headers).end('{}');
}

/** One that refuses every turn and says why, in OpenAI's terms. */
export function explaining(status: number, code: string, message: string): ResponseScript {
  return ({ res }) => void json(res, status, { error: { message, type: 'invalid_request_error', code } });
}

function list(res: Parameters<ResponseScript>[0]['res'], ...models: string[]): void {
  json(res, 200, { data: models.map((id) => ({ id })) });
}

function json(res: Parameters<ResponseScript>[0]['res'], status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
