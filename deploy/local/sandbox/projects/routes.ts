import { signedIn } from '../chat/signed-in.ts';
import { type Route } from '../http/router.ts';
import { deleteProjectFile, listProjectFiles, uploadProjectFile } from './project-files.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.ts';

/** Routes of projects and their files. */
export const projectRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/projects', handle: signedIn(createProject) },
  { method: 'GET', path: '/api/projects', handle: signedIn(listProjects) },
  { method: 'GET', path: '/api/projects/:id', handle: signedIn(getProject) },
  { method: 'PATCH', path: '/api/projects/:id', handle: signedIn(updateProject) },
  { method: 'DELETE', path: '/api/projects/:id', handle: signedIn(deleteProject) },
  { method: 'POST', path: '/api/projects/:id/files', handle: signedIn(uploadProjectFile) },
  { method: 'GET', path: '/api/projects/:id/files', handle: signedIn(listProjectFiles) },
  { method: 'DELETE', path: '/api/projects/:id/files/:file', handle: signedIn(deleteProjectFile) },
];
