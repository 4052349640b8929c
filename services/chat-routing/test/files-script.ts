import { type ReceivedRequest, type ResponseScript } from '../src/providers/testing/upstream.ts';
import { SandboxScript } from './sandbox-script.ts';

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Something the upstream makes in an answer. */
export interface MadeArtifact {
  id: string;
  kind: string;
  name: string;
  mime_type: string;
}

/** An upstream with the sandbox's conversations that takes files, has projects, and makes things. */
export class FilesScript {
  readonly conversations = new SandboxScript();
  /** Files it has, by id. */
  readonly files = new Map<string, { name: string; bytes: Buffer; status: string }>();
  /** What it makes in every answer, before its text. */
  makes: MadeArtifact[] = [];
  /** What it made, by id. */
  readonly artifacts = new Map<string, ResponseScript>();
  /** Takes calls about files before they are answered. */
  intercept: ((received: ReceivedRequest) => boolean | Promise<boolean>) | undefined;
  /** How files of projects are when they arrive. */
  sourceStatus = 'processing';
  #uploads = 0;

  readonly serve: ResponseScript = async (received) => {
    const { path } = received;
    if (/^\/api\/(files|projects|artifacts)\b/.test(path)) return this.#files(received);
    if (this.makes.length === 0 || !path.endsWith('/messages')) return this.conversations.serve(received);
    const { res } = received;
    const write = res.write.bind(res) as (text: string) => boolean;
    // What is made comes between the acceptance and the text.
    res.write = ((text: string) => {
      const [accepted, ...rest] = text.split(/(?=event: delta)/);
      return write((accepted ?? '') + this.makes.map((made) => event('artifact', made)).join('') + rest.join(''));
    }) as typeof res.write;
    return this.conversations.serve(received);
  };

  async #files(received: ReceivedRequest): Promise<void> {
    const { method, path, headers, bytes, res } = received;
    if (!this.conversations.sessions.has(String(headers.authorization).replace('Bearer ', '')))
      return json(res, 401, { error: { code: 'session_expired' } });
    if (await this.intercept?.(received)) return;
    const id = path.split('/').at(-1) ?? '';
    const made = this.artifacts.get(id);
    if (made) return made(received);
    if (method === 'DELETE') return void res.writeHead(this.files.delete(id) ? 204 : 404).end();
    if (method === 'GET') return json(res, 200, { files: [...this.files].map(([fileId, { status }]) => ({ id: fileId, status })) });
    const ref = `sf_${++this.#uploads}`;
    const status = path.startsWith('/api/projects') ? this.sourceStatus : 'ready';
    this.files.set(ref, { name: decodeURIComponent(String(headers['x-file-name'])), bytes, status });
    json(res, 201, { id: ref, status });
  }
}

/** Refuses a call. */
export function refuse({ res }: ReceivedRequest, status: number, code: string): true {
  json(res, status, { error: { code } });
  return true;
}

function json(res: ReceivedRequest['res'], status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
