import { type ReceivedRequest, type ResponseScript } from '../src/providers/testing/upstream.ts';
import { SandboxScript } from './sandbox-script.ts';

/** A project upstream. */
export interface UpstreamProject {
  id: string;
  name: string;
  instructions: string;
  memory_policy: string;
}

/** An upstream that keeps conversations and projects, as the sandbox speaks. */
export class ProjectScript {
  readonly chat = new SandboxScript();
  readonly projects = new Map<string, UpstreamProject>();
  readonly asked: ReceivedRequest[] = [];
  /** Runs before a request for projects is answered; gives the refusal, waits, or lets it pass. */
  before: (
    received: ReceivedRequest,
  ) => Promise<{ status: number; code: string } | undefined> | { status: number; code: string } | undefined = () => undefined;
  /** The policy that holds whatever is asked for. */
  policy: string | undefined;
  #made = 0;

  readonly serve: ResponseScript = async (received) => {
    const { path, res } = received;
    if (!path.startsWith('/api/projects')) return this.chat.serve(received);
    this.asked.push(received);
    const refusal = await this.before(received);
    if (refusal) return json(res, refusal.status, { error: { code: refusal.code } });
    const [id = '', part] = path.slice('/api/projects'.length).split('/').slice(1);
    if (id === '') return json(res, 201, this.#create(received));
    const project = this.projects.get(id);
    if (!project) return json(res, 404, { error: { code: 'project_not_found' } });
    if (part === 'files' && received.method === 'DELETE') return void res.writeHead(204).end();
    if (received.method === 'DELETE') {
      this.projects.delete(id);
      return void res.writeHead(204).end();
    }
    if (received.method === 'PATCH') Object.assign(project, received.body);
    return json(res, 200, project);
  };

  #create({ body }: ReceivedRequest): UpstreamProject {
    const id = `sp_${++this.#made}`;
    const { name = '', instructions = '', memory_policy = '' } = body as Partial<UpstreamProject>;
    const project = { id, name, instructions, memory_policy: this.policy ?? memory_policy };
    this.projects.set(id, project);
    return project;
  }
}

function json(res: ReceivedRequest['res'], status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
