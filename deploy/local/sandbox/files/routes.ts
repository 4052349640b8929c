import { withSession } from '../chat/with-session.ts';
import { type Route } from '../http/router.ts';
import { deleteFile, uploadFile } from './files.ts';

/** Routes of files for conversations. */
export const fileRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/files', handle: withSession(uploadFile) },
  { method: 'DELETE', path: '/api/files/:id', handle: withSession(deleteFile) },
];
