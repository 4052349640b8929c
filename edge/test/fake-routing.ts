import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type Conversation } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type AnswerConnectFlowRequest } from '@parley/protos/routing/v1/connect_flow';
import {
  type ChatRoutingServiceService,
  type ConnectFlow,
  type Connection,
  type CreateConnectionRequest,
  type CreateConversationRequest,
  type RemoveConnectionRequest,
  type RouteProfile,
  type SyncConversationRequest,
  type TurnEvent,
  type TurnRequest,
  type ListConnectionsRequest,
} from '@parley/protos/routing/v1/routing';
import { FakeProjects } from './fake-projects.ts';

/** A connection as chat-routing would answer it. */
export function connection(change: Partial<Connection> = {}): Connection {
  return {
    id: uuidv7(),
    workspaceId: '01900000-0000-7000-8000-000000000001',
    label: 'sandbox',
    provider: 'sandbox',
    providerFamily: 'sandbox',
    status: 'active',
    health: 'healthy',
    isDefault: true,
    createdAt: new Date('2025-01-31T12:00:00.000Z'),
    supports: ['text', 'images', 'conversation_files'],
    baseUrl: 'http://upstream.test',
    models: ['sandbox-1'],
    refused: [],
    ...{ pass: [], defaultModel: '', aliases: {}, restingModels: [], reason: '' },
    ...change,
  };
}

/** Where conversations are recorded that enter through chat-routing. */
export interface ConversationRecord {
  create(request: CreateConversationRequest, call: Call): Conversation;
  sync(request: SyncConversationRequest, call: Call): Conversation;
}

/** Plays chat-routing: accounts in memory, and turns that a test answers. */
export class FakeRouting {
  connections: Connection[] = [connection()];
  profiles = new Map<string, RouteProfile>();
  /** Every call with its method, for looking at callers and requests. */
  calls: { method: string; request: unknown; call: Call }[] = [];
  /** Thrown by every unary method while it is set. */
  failure: GatewayError | undefined;
  /** What happens before a method answers. */
  before: () => Promise<void> | void = () => undefined;
  /** Answers a turn; by default with the last message's text. */
  turn: (request: TurnRequest, stream: ServerStream<TurnEvent>, call: Call) => void = echo;

  readonly projects = new FakeProjects();
  readonly record: ConversationRecord;

  constructor(record: ConversationRecord) {
    this.record = record;
  }

  handlers(): Handlers<typeof ChatRoutingServiceService> {
    const absent = () => Promise.reject(new GatewayError('NOT_IMPLEMENTED', 'not played'));
    return {
      ...this.projects.handlers((method, answer) => this.#on(method, answer)),
      deleteProjectSource: absent,
      uploadFile: absent,
      discardFile: absent,
      fetchArtifact: absentStream,
      acquireConnection: absent,
      reportConnection: absent,
      turns: (request, stream, call) => this.turn(request, stream, call),
      listModels: this.#on('listModels', () => ({ models: [{ id: 'sandbox-1', ownedBy: 'sandbox', created: 1_700_000_000 }] })),
      listConnections: this.#on('listConnections', ({ provider, status, search = '', limit, offset, cursor }: ListConnectionsRequest) => {
        const found = this.connections.filter(
          (c) => (!provider || c.provider === provider) && (!status || c.status === status) && c.label.includes(search),
        );
        if (cursor === undefined) return { connections: found.slice(offset, offset + limit), total: found.length };
        const end = Number(cursor) + limit;
        return { connections: found.slice(Number(cursor), end), total: found.length, ...(end < found.length && { nextCursor: `${end}` }) };
      }),
      getConnection: this.#on('getConnection', ({ id }: { id: string }) => this.#find(id)),
      createConversation: this.#on('createConversation', (request: CreateConversationRequest, call) => this.record.create(request, call)),
      syncConversation: this.#on('syncConversation', (request: SyncConversationRequest, call) => this.record.sync(request, call)),
      createConnection: this.#on(
        'createConnection',
        ({ provider, label, baseUrl, models, isDefault, pass, defaultModel, aliases }: CreateConnectionRequest) => {
          const created = connection({ provider, label, baseUrl, models, isDefault, pass, defaultModel, aliases });
          this.connections.push(created);
          return { ...created, conversationsLeft: 3, conversationsTaken: 0 };
        },
      ),
      updateConnection: this.#on(
        'updateConnection',
        ({ id, label, enabled }: { id: string; label?: string | undefined; enabled?: boolean | undefined }) => {
          const found = this.#find(id);
          return Object.assign(
            found,
            label !== undefined && { label },
            enabled !== undefined && { status: enabled ? 'active' : 'disabled' },
          );
        },
      ),
      deleteConnection: absent,
      listConnectProviders: absent,
      beginConnectFlow: absent,
      answerConnectFlow: this.#on('answerConnectFlow', ({ id, answers }: AnswerConnectFlowRequest): ConnectFlow => {
        const open = { id, provider: 'sandbox', connectionId: '', status: 'open', expiresAt: new Date(), reason: '' };
        return 'last' in answers ? { ...open, status: 'done', connection: connection({ label: 'mine' }) } : open;
      }),
      getConnectFlow: absent,
      cancelConnectFlow: absent,
      removeConnection: this.#on('removeConnection', ({ id, moveTo }: RemoveConnectionRequest) => {
        this.#find(id);
        this.connections = this.connections.filter((c) => c.id !== id);
        return { conversations: 2, moved: moveTo ? 2 : 0 };
      }),
      testConnection: this.#on('testConnection', ({ id }: { id: string }) => {
        const found = this.#find(id);
        return { ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED', message: 'log in again', models: found.models, connection: found };
      }),
      rotateSecrets: this.#on('rotateSecrets', () => ({ rotated: 2, keyId: 'k2' })),
      listRouteProfiles: this.#on('listRouteProfiles', () => ({ profiles: [...this.profiles.values()] })),
      putRouteProfile: this.#on('putRouteProfile', (profile: RouteProfile) => {
        this.profiles.set(profile.slug, profile);
        return profile;
      }),
      deleteRouteProfile: this.#on('deleteRouteProfile', ({ slug }: { slug: string }) => {
        if (!this.profiles.delete(slug)) throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such profile');
        return {};
      }),
    };
  }

  #on<Req, Res>(method: string, answer: (request: Req, call: Call) => Res) {
    return async (request: Req, call: Call): Promise<Res> => {
      this.calls.push({ method, request, call });
      await this.before();
      if (this.failure) throw this.failure;
      return answer(request, call);
    };
  }

  #find(id: string): Connection {
    const found = this.connections.find((c) => c.id === id);
    if (!found) throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection');
    return found;
  }
}

async function* absentStream(): AsyncGenerator<never> {
  throw new GatewayError('NOT_IMPLEMENTED', 'not played');
}

function echo(request: TurnRequest, stream: ServerStream<TurnEvent>): void {
  const text = request.messages.at(-1)?.text ?? '';
  const accepted = { conversationId: uuidv7(), messageId: uuidv7(), model: request.model, created: 1_700_000_000 };
  stream.write({ event: { $case: 'accepted', value: accepted } }, 100);
  if (request.stream) stream.write({ event: { $case: 'deltas', value: { texts: [text] } } }, 100);
  const completed = { finishReason: 'stop', tokensIn: 1, tokensOut: 1, text: request.stream ? '' : text, reasoning: '' };
  stream.end({ event: { $case: 'completed', value: completed } });
}
