import { z } from 'zod';
import { ask, said } from '../harness/chat.ts';
import { type Answer, call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { type Gateway } from '../harness/parley.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';
import { type Ids, type Operation, pathOf, requestOf } from './operations.ts';

/** A user with a key in the workspace of a conversation. */
export interface Person {
  userId: string;
  key: string;
}

/** A workspace and who is in it: the owner of conversations, and two others. */
export interface People {
  tenant: Tenant;
  owner: Person;
  ada: Person;
  grace: Person;
  /** A second key of the owner's user. */
  siblingKey: string;
}

const messages = z.array(z.looseObject({ id: z.string() })).min(1);

/** Makes a workspace with an account, an owner and two others. */
export async function makePeople(gateway: () => Gateway): Promise<People> {
  const tenant = await makeTenant(gateway);
  const { workspaceId, userId, apiKey } = tenant;
  const sibling = await new Operator(gateway).createKey({ workspace_id: workspaceId, user_id: userId });
  const [ada, grace] = [await join(gateway, workspaceId), await join(gateway, workspaceId)];
  return { tenant, owner: { userId, key: apiKey }, ada, grace, siblingKey: sibling.key };
}

/** Makes a user with a key in a workspace. */
async function join(gateway: () => Gateway, workspaceId: string): Promise<Person> {
  const operator = new Operator(gateway);
  const userId = await operator.createUser(workspaceId);
  const { key } = await operator.createKey({ workspace_id: workspaceId, user_id: userId });
  return { userId, key };
}

/** Begins a conversation with a turn; it is shared with `user` for reading. */
export async function beginShared(gateway: Gateway, { owner, ada }: People): Promise<Ids> {
  const { conversation } = said(await ask(gateway, { key: owner.key, say: 'remember the blue door' }));
  const path = `/v1/conversations/${conversation}`;
  const listed = messages.parse((await call(gateway, 'GET', `${path}/messages`, { key: owner.key })).json);
  await share(gateway, owner.key, conversation, ada.userId, 'viewer');
  return { conversation, message: listed[0]?.id ?? '', user: ada.userId };
}

/** Shares a conversation with a user. */
export async function share(gateway: Gateway, key: string, conversation: string, userId: string, role: 'viewer' | 'editor'): Promise<void> {
  const body = { user_id: userId, role };
  const { status, text } = await call(gateway, 'POST', `/v1/conversations/${conversation}/share`, { key, body });
  if (status !== 200) throw new Error(`the conversation was not shared: ${text}`);
}

/** Asks for an operation. */
export function perform(gateway: Gateway, operation: Operation, ids: Ids, key: string | undefined): Promise<Answer> {
  return call(gateway, operation.method, pathOf(operation, ids), { key, ...requestOf(operation, ids) });
}
