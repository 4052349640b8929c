import { withSession } from '../chat/with-session.ts';
import { type Route } from '../http/router.ts';
import { deleteProjectFile, listProjectFiles, uploadProjectFile } from './project-files.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.ts';

/** Routes of projects and their files. */
export const projectRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/projects', handle: withSession(createProject) },
  { method: 'GET', path: '/api/projects', handle: withSession(listProjects) },
  { method: 'GET', path: '/api/projects/:id', handle: withSession(getProject) },
  { method: 'PATCH', path: '/api/projects/:id', handle: withSession(updateProject) },
  { method: 'DELETE', path: '/api/projects/:id', handle: withSession(deleteProject) },
  { method: 'POST', path: '/api/projects/:id/files', handle: withSession(uploadProjectFile) },
  { method: 'GET', path: '/api/projects/:id/files', handle: withSession(listProjectFiles) },
  { method: 'DELETE', path: '/api/projects/:id/files/:file', handle: withSession(deleteProjectFile) },
];
