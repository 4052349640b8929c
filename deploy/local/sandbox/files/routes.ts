import { signedIn } from '../chat/signed-in.ts';
import { type Route } from '../http/router.ts';
import { deleteFile, uploadFile } from './files.ts';

/** Routes of files for conversations. */
export const fileRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/files', handle: signedIn(uploadFile) },
  { method: 'DELETE', path: '/api/files/:id', handle: signedIn(deleteFile) },
];
