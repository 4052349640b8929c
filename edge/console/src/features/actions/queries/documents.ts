import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { ACTIONS_QUERY_KEY, type ActionDetail } from './catalog.ts';

/** A document with the OpenAPI documents that it names. */
export type ActionDocument = components['schemas']['ActionDocument'];
/** One thing that is wrong with a document; `path` is a JSON Pointer into it. */
export type Finding = components['schemas']['ActionValidation']['findings'][number];
/** An entry of the audit log. */
export type AuditEntry = components['schemas']['AuditEntry'];

/** What the gateway finds in a document; nothing is changed. @throws Problem */
export function validateDocument(body: ActionDocument): Promise<components['schemas']['ActionValidation']> {
  return unwrap(adminClient.POST('/admin/v1/actions/validate', { body }));
}

/** Makes a document what new runs of its action run. @throws Problem */
export function publishDocument(body: ActionDocument): Promise<ActionDetail> {
  return unwrap(adminClient.POST('/admin/v1/actions', { body }));
}

/** Takes an action out of the catalog, or puts it back. @throws Problem */
export function setActionEnabled(slug: string, enabled: boolean): Promise<ActionDetail> {
  return unwrap(adminClient.PATCH('/admin/v1/actions/{slug}', { params: { path: { slug } }, body: { enabled } }));
}

/** A version with its documents, as it was published. */
export type PublishedVersion = components['schemas']['PublishedActionVersion'];

/** The versions of an action, newest first. */
export function versionsQuery(slug: string) {
  return queryOptions({
    queryKey: [...ACTIONS_QUERY_KEY, 'versions', slug],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/actions/{slug}/versions', { params: { path: { slug } } })),
  });
}

/** One of them with its documents. */
export function versionQuery(slug: string, version: number) {
  return queryOptions({
    queryKey: [...ACTIONS_QUERY_KEY, 'version', slug, version],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/actions/{slug}/versions/{version}', { params: { path: { slug, version } } })),
  });
}

/** What was published, enabled and disabled of an action, newest first, as the audit log has it. */
export function historyQuery(slug: string) {
  return queryOptions({
    queryKey: [...ACTIONS_QUERY_KEY, 'history', slug],
    queryFn: async () => {
      const query = { action: 'action', target_id: slug, limit: 100 };
      return (await unwrap(adminClient.GET('/admin/v1/audit', { params: { query } }))).entries;
    },
  });
}
