import { type ListenAddress } from '@parley/kit/rpc/serve';
import { type UploadedFile, type UploadFileHead, type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { createHash, randomUUID } from 'node:crypto';
import { type Client } from './client.ts';
import { FilesScript } from './files-script.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';

/** What tests upload unless they say otherwise. */
export const TEXT = Buffer.from('The code word is heron.');

/** A fixture with a running service; each test has a workspace of its own, with an account at a sandbox that takes and makes files. */
export class FilesFixture {
  readonly fixture: TestFixture;
  running: Running;
  client: Client;
  connection!: Connection;
  script = new FilesScript();

  private constructor(fixture: TestFixture, running: Running) {
    this.fixture = fixture;
    this.running = running;
    this.client = running.as(newCaller());
  }

  static async open(listen: ListenAddress): Promise<FilesFixture> {
    const fixture = await openFixture();
    return new FilesFixture(fixture, await fixture.start({ listen }));
  }

  /** Before each test. */
  async settle(): Promise<void> {
    this.script = new FilesScript();
    this.fixture.upstream.script = this.script.serve;
    this.fixture.upstream.received.length = 0;
    this.client = this.running.as(newCaller());
    this.connection = await this.connect(this.client);
  }

  /** Gives a client's workspace an account of its own. */
  connect(of: Client, account = 'ada'): Promise<Connection> {
    const over = { provider: 'sandbox', baseUrl: this.fixture.upstream.url, account, secret: 'right', models: [] };
    return connectAccount(this.fixture, this.running, of.caller, over);
  }

  /** The account as its workspace sees it. */
  async view(where = this.running): Promise<Connection | undefined> {
    const page = { provider: '', status: '', limit: 50, offset: 0 };
    return (await where.stub.listConnections(page, { caller: this.client.caller })).connections[0];
  }

  async rows(): Promise<{ id: string; status: string }[]> {
    return (await this.fixture.sql.query<{ id: string; status: string }>('SELECT id, status FROM upstream_files')).rows;
  }

  /** Begins a conversation and gives its id. */
  async conversation(by = this.client): Promise<string> {
    return (await by.turn('hello')).accepted?.conversationId ?? '';
  }

  /** A project of the account, as if it had been made over the API. */
  async project(workspaceId = this.client.caller.workspaceId, connectionId = this.connection.id): Promise<string> {
    const id = randomUUID();
    const sql = `INSERT INTO upstream_projects (id, workspace_id, connection_id, slug, name, upstream_ref) VALUES ($1, $2, $3, $4, 'p', 'sp_1')`;
    await this.fixture.sql.query(sql, [id, workspaceId, connectionId, id]);
    return id;
  }

  /** Uploads a file in small pieces. */
  upload(over: Partial<UploadFileHead>, content = TEXT, by = this.client): Promise<UploadedFile> {
    const head: UploadFileHead = {
      ...{ conversationId: '', projectId: '', assetId: randomUUID(), fileName: 'notes.txt', mimeType: 'text/plain' },
      ...{ sizeBytes: content.length, sha256: createHash('sha256').update(content).digest('hex'), ...over },
    };
    const frames = (async function* (): AsyncGenerator<UploadFileRequest> {
      yield { frame: { $case: 'head', value: head } };
      for (let at = 0; at < content.length; at += 7) yield { frame: { $case: 'chunk', value: content.subarray(at, at + 7) } };
    })();
    return this.running.stub.uploadFile(frames, { caller: by.caller, deadlineMs: 20_000 });
  }
}
