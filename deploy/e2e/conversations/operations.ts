import { type Request } from '../harness/http.ts';
import { formRequest, type LocalFile } from '../harness/upload.ts';

/** What a request of an operation names. */
export interface Ids {
  conversation: string;
  message: string;
  /** A participant, or a user to share with. */
  user: string;
}

/** What an operation needs: nothing but a key, any role, one that may write, or the owner's. */
export type Need = 'key' | 'read' | 'write' | 'govern';

/** An operation on conversations. */
export interface Operation {
  /** As the API description calls it. */
  id: string;
  method: string;
  /** As the API description writes it. */
  template: string;
  needs: Need;
  /** Its JSON body, for operations that take one. */
  body?: (ids: Ids) => Record<string, unknown>;
  /** The file it takes, in a form. */
  file?: LocalFile;
}

const ALL = '/v1/conversations';
const ONE = `${ALL}/{conversation_id}`;
const PARTICIPANT = `${ONE}/participants/{user_id}`;
const sharing = ({ user }: Ids) => ({ user_id: user, role: 'viewer' });
const NOTE: LocalFile = { name: 'note.txt', bytes: Buffer.from('The door is blue.\n'), type: 'text/plain' };

/** Every operation on conversations and their messages. */
export const OPERATIONS: readonly Operation[] = [
  { id: 'createConversation', method: 'POST', template: ALL, needs: 'key', body: () => ({ title: 'On doors' }) },
  { id: 'listConversations', method: 'GET', template: ALL, needs: 'key' },
  { id: 'getConversation', method: 'GET', template: ONE, needs: 'read' },
  { id: 'updateConversation', method: 'PATCH', template: ONE, needs: 'write' },
  { id: 'deleteConversation', method: 'DELETE', template: ONE, needs: 'govern' },
  { id: 'listMessages', method: 'GET', template: `${ONE}/messages`, needs: 'read' },
  { id: 'createAttachment', method: 'POST', template: `${ONE}/attachments`, needs: 'write', file: NOTE },
  { id: 'listConversationAssets', method: 'GET', template: `${ONE}/assets`, needs: 'read' },
  { id: 'syncConversation', method: 'POST', template: `${ONE}/sync`, needs: 'write' },
  { id: 'archiveConversation', method: 'POST', template: `${ONE}/archive`, needs: 'write' },
  { id: 'restoreConversation', method: 'POST', template: `${ONE}/restore`, needs: 'write' },
  { id: 'shareConversation', method: 'POST', template: `${ONE}/share`, needs: 'govern', body: sharing },
  { id: 'transferConversation', method: 'POST', template: `${ONE}/transfer`, needs: 'govern', body: ({ user }) => ({ user_id: user }) },
  { id: 'listParticipants', method: 'GET', template: `${ONE}/participants`, needs: 'read' },
  { id: 'updateParticipant', method: 'PATCH', template: PARTICIPANT, needs: 'govern', body: () => ({ role: 'editor' }) },
  { id: 'removeParticipant', method: 'DELETE', template: PARTICIPANT, needs: 'govern' },
  { id: 'getMessage', method: 'GET', template: '/v1/messages/{message_id}', needs: 'read' },
];

/** The path of an operation for these ids. */
export function pathOf({ template }: Operation, { conversation, message, user }: Ids): string {
  return template.replace('{conversation_id}', conversation).replace('{message_id}', message).replace('{user_id}', user);
}

/** What an operation sends beside its path. */
export function requestOf({ body, file }: Operation, ids: Ids): Request {
  return { ...(body && { body: body(ids) }), ...(file && formRequest(file)) };
}
