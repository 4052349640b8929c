import { type ServerResponse } from 'node:http';
import { type z } from 'zod';
import { type ApiCall, type ApiFacts } from './api-call.ts';
import { Refusal } from './refusal.ts';
import * as requests from './requests.ts';
import { respond } from './respond.ts';
import { newId, toItem } from './store.ts';

type Params = readonly string[];
type Handler = (api: ApiFacts, call: ApiCall, params: Params, res: ServerResponse) => unknown;

const now = () => Math.floor(Date.now() / 1000);

/** What the API answers, by method and path; `:` stands for an id. */
const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /models': ({ models }) => ({
    object: 'list',
    data: models.map((id, at) => ({ id, object: 'model', created: 1_700_000_000 + at, owned_by: 'system' })),
  }),
  'POST /conversations': ({ store }, { body }) => {
    const { items = [], metadata = null } = checked(requests.conversationCreate, body);
    const id = newId('conv');
    store.conversations.set(id, { items: items.map(toItem), isLocked: false });
    return { id, object: 'conversation', created_at: now(), metadata };
  },
  'GET /conversations/:': ({ store }, _call, [id = '']) => {
    found(store.conversations, id);
    return { id, object: 'conversation', created_at: now(), metadata: null };
  },
  'DELETE /conversations/:': ({ store }, _call, [id = '']) => {
    found(store.conversations, id);
    return { id, object: 'conversation.deleted', deleted: store.conversations.delete(id) };
  },
  'GET /conversations/:/items': ({ store }, call, [id = '']) => listed(found(store.conversations, id).items, call),
  'POST /conversations/:/items': ({ store }, { body }, [id = '']) => {
    const conversation = found(store.conversations, id);
    const items = checked(requests.itemsCreate, body).items.map(toItem);
    conversation.items = [...conversation.items, ...items];
    return { object: 'list', data: items, has_more: false, first_id: items[0]?.id, last_id: items.at(-1)?.id };
  },
  'POST /responses': createResponse,
  'GET /responses/:': ({ store }, _call, [id = '']) => found(store.responses, id).response,
  'POST /responses/:/cancel': ({ store }, _call, [id = '']) => {
    const kept = found(store.responses, id);
    if (!kept.response.background) throw new Refusal(400, null, 'response_id');
    if (kept.response.status !== 'completed') kept.response.status = 'cancelled';
    kept.stop();
    return kept.response;
  },
  'POST /files': async ({ store }, { bytes, headers }) => {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': String(headers['content-type']) } }).formData();
    const { purpose, file } = checked(requests.fileCreate, Object.fromEntries(form));
    const content = Buffer.from(await file.arrayBuffer());
    const about = {
      id: newId('file'),
      object: 'file',
      bytes: content.length,
      created_at: now(),
      filename: file.name,
      status: 'processed',
    } as const;
    if (purpose === 'evals') throw new Refusal(400, null, 'purpose');
    store.files.set(about.id, { ...about, purpose, content });
    return { ...about, purpose };
  },
  'GET /files/:': ({ store }, _call, [id = '']) => ({ ...found(store.files, id), content: undefined }),
  'DELETE /files/:': ({ store }, _call, [id = '']) => {
    found(store.files, id);
    return { id, object: 'file', deleted: store.files.delete(id) };
  },
  'POST /vector_stores': (api, { body }) => {
    const { name = '' } = checked(requests.vectorStoreCreate, body);
    const id = newId('vs');
    api.store.vectorStores.set(id, { name, files: new Map() });
    return vectorStore(api, id);
  },
  'GET /vector_stores/:': (api, _call, [id = '']) => vectorStore(api, id),
  'POST /vector_stores/:': (api, { body }, [id = '']) => {
    Object.assign(found(api.store.vectorStores, id), checked(requests.vectorStoreUpdate, body));
    return vectorStore(api, id);
  },
  'DELETE /vector_stores/:': ({ store }, _call, [id = '']) => {
    found(store.vectorStores, id);
    return { id, object: 'vector_store.deleted', deleted: store.vectorStores.delete(id) };
  },
  'GET /vector_stores/:/files': ({ store }, call, [id = '']) =>
    listed(
      [...found(store.vectorStores, id).files].map(([file, status]) => storedFile(id, file, status)),
      call,
    ),
  'POST /vector_stores/:/files': ({ store, indexing }, { body }, [id = '']) => {
    const { file_id: file } = checked(requests.vectorStoreFile, body);
    const { files } = found(store.vectorStores, id);
    found(store.files, file);
    files.set(file, indexing);
    return storedFile(id, file, 'in_progress');
  },
  'DELETE /vector_stores/:/files/:': ({ store }, _call, [id = '', file = '']) => {
    const { files } = found(store.vectorStores, id);
    found(files, file);
    return { id: file, object: 'vector_store.file.deleted', deleted: files.delete(file) };
  },
  'GET /containers/:/files/:/content': ({ store }, _call, [container, file]) => found(store.containers, `${container}/${file}`),
};

/** Answers a call; undefined where it has been answered already. Throws Refusal. */
export function route(api: ApiFacts, call: ApiCall, res: ServerResponse): unknown {
  const params: string[] = [];
  const pattern = call.path.replace(/\/([a-z]+_[^/]+)/g, (all, id: string) => {
    if (/^\/vector_stores$/.test(all)) return all;
    params.push(decodeURIComponent(id));
    return '/:';
  });
  const handler = ROUTES[`${call.method} ${pattern}`];
  if (!handler) throw new Refusal(404);
  return handler(api, call, params, res);
}

async function createResponse(api: ApiFacts, { body }: ApiCall, _params: Params, res: ServerResponse): Promise<undefined> {
  const request = checked(requests.responseCreate, body);
  const { store, models, plainModels, pace } = api;
  if (!models.includes(request.model)) throw new Refusal(400, 'model_not_found', 'model');
  if (plainModels.includes(request.model) && request.tools?.some(({ type }) => type !== 'file_search'))
    throw new Refusal(400, null, 'tools');
  const conversation = found(store.conversations, request.conversation);
  if (conversation.isLocked) throw new Refusal(400, 'conversation_locked', 'conversation');
  for (const tool of request.tools ?? []) {
    if (tool.type === 'file_search') for (const id of tool.vector_store_ids) found(store.vectorStores, id);
    if (tool.type === 'code_interpreter') for (const id of tool.container.file_ids ?? []) found(store.files, id);
  }
  for (const { content } of request.input)
    for (const part of typeof content === 'string' ? [] : content) if ('file_id' in part && part.file_id) found(store.files, part.file_id);
  await respond(store, request, conversation, res, pace);
}

/** Refuses as the API does: with the first field that is to blame. */
function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isUnknown = issue?.code === 'unrecognized_keys';
  throw new Refusal(
    400,
    isUnknown ? 'unknown_parameter' : 'invalid_value',
    isUnknown ? (issue.keys[0] ?? '') : (issue?.path.join('.') ?? ''),
  );
}

function found<T>(all: ReadonlyMap<string, T>, id: string): T {
  const one = all.get(id);
  if (one === undefined) throw new Refusal(404);
  return one;
}

function listed(all: readonly { id?: string | null }[], { query }: ApiCall) {
  const { order, limit, after } = checked(requests.listQuery, Object.fromEntries(query));
  const ordered = order === 'asc' ? [...all] : [...all].reverse();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw new Refusal(400, null, 'after');
  const data = ordered.slice(from, from + limit);
  return { object: 'list', data, first_id: data[0]?.id, last_id: data.at(-1)?.id, has_more: from + limit < ordered.length };
}

function vectorStore({ store }: ApiFacts, id: string) {
  const { name, files } = found(store.vectorStores, id);
  const counts = { in_progress: 0, completed: files.size, failed: 0, cancelled: 0, total: files.size };
  return {
    id,
    object: 'vector_store',
    created_at: now(),
    name,
    usage_bytes: 0,
    file_counts: counts,
    status: 'completed',
    last_active_at: now(),
    metadata: {},
  };
}

function storedFile(vector_store_id: string, id: string, status: string) {
  return { id, object: 'vector_store.file', created_at: now(), vector_store_id, status, usage_bytes: 0, last_error: null };
}
