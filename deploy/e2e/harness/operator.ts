import { z } from 'zod';
import { adminToken } from './admin-token.ts';
import { type Answer, call } from './http.ts';
import { type Gateway } from './parley.ts';

const created = z.object({ id: z.string() });
const createdKey = created.extend({ key: z.string(), prefix: z.string() });
const connection = created.extend({
  label: z.string(),
  provider: z.string(),
  status: z.string(),
  health: z.string(),
  models: z.array(z.string()),
});

/** A new key: the only response that contains the key itself. */
export type CreatedKey = z.infer<typeof createdKey>;
/** A connected account as the operator sees it. */
export type AdminConnection = z.infer<typeof connection>;

/** An account to connect. */
export interface NewConnection {
  provider: string;
  label: string;
  base_url: string;
  account?: string;
  api_key?: string;
  password?: string;
  models?: string[];
  is_default?: boolean;
  workspace_id?: string;
}

/** Does what the operator's surface offers. Every method throws with the answer when it is not the expected one. */
export class Operator {
  readonly #gateway: () => Gateway;

  constructor(gateway: () => Gateway) {
    this.#gateway = gateway;
  }

  /** Any operation, whatever it answers. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const gateway = this.#gateway();
    return call(gateway, method, `/admin/v1${path}`, { key: await adminToken(gateway), body });
  }

  async createWorkspace(name: string): Promise<string> {
    return created.parse(await this.#json(201, 'POST', '/workspaces', { name })).id;
  }

  async setWorkspaceStatus(id: string, status: 'active' | 'disabled'): Promise<void> {
    await this.#json(200, 'PATCH', `/workspaces/${id}`, { status });
  }

  async createUser(workspaceId?: string): Promise<string> {
    return created.parse(await this.#json(201, 'POST', '/users', { display_name: 'A person', workspace_id: workspaceId })).id;
  }

  async setUserStatus(id: string, status: 'active' | 'disabled'): Promise<void> {
    await this.#json(200, 'PATCH', `/users/${id}`, { status });
  }

  async createKey(
    fields: {
      name?: string;
      scopes?: string[];
      expires_at?: string;
      user_id?: string;
      workspace_id?: string;
      project?: string;
      quotas?: { requests?: string; audio_seconds?: string };
    } = {},
  ): Promise<CreatedKey> {
    return createdKey.parse(await this.#json(201, 'POST', '/keys', { name: 'a key', ...fields }));
  }

  async revokeKey(id: string): Promise<void> {
    await this.#json(200, 'DELETE', `/keys/${id}`);
  }

  async connect(fields: NewConnection): Promise<AdminConnection> {
    return connection.parse(await this.#json(201, 'POST', '/connections', fields));
  }

  async updateConnection(
    id: string,
    workspaceId: string,
    change: Partial<NewConnection> & { enabled?: boolean },
  ): Promise<AdminConnection> {
    return connection.parse(await this.#json(200, 'PATCH', `/connections/${id}?workspace_id=${workspaceId}`, change));
  }

  async putProfile(slug: string, workspaceId: string, body: { account_labels?: string[]; model?: string }): Promise<void> {
    await this.#json(200, 'PUT', `/route-profiles/${slug}?workspace_id=${workspaceId}`, body);
  }

  async putInternalProject(slug: string, workspaceId: string, body: { name: string; policy: string }): Promise<void> {
    await this.#json(200, 'PUT', `/internal-projects/${slug}?workspace_id=${workspaceId}`, body);
  }

  async bindProject(id: string, workspaceId: string, body: { bound?: boolean; is_default?: boolean }): Promise<void> {
    await this.#json(200, 'PATCH', `/projects/${id}?workspace_id=${workspaceId}`, body);
  }

  /** Asks the upstream of an account whether it works, which clears what is known against it. */
  async testConnection(id: string, workspaceId: string): Promise<void> {
    await this.#json(200, 'POST', `/connections/${id}/test?workspace_id=${workspaceId}`);
  }

  async #json(status: number, method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.call(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.json;
  }
}
