import { type z } from 'zod';
import {
  type actionVersion,
  type publishedActionVersion,
  toActionVersion,
  toPublishedActionVersion,
} from '../../../wire/action-document.ts';
import { actionParams } from '../../actions/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { integerParam } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** The largest version number, that of a uint32 in the gRPC contract. */
const MAX_VERSION = 4_294_967_295;

/** Path parameters of one version of an action. */
export const versionParams = actionParams.extend({ version: integerParam(1, MAX_VERSION).meta({ type: 'integer', minimum: 1 }) });

/** Returns the published versions of an action, newest first. */
export async function listActionVersions(
  { principal, params }: Input<z.output<typeof actionParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionVersion>[]>> {
  const { versions } = await clients.actions.listVersions(params, { caller: principal });
  return { body: versions.map(toActionVersion) };
}

/** Returns a published version with its document and sources. */
export async function getActionVersion(
  { principal, params }: Input<z.output<typeof versionParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof publishedActionVersion>>> {
  return { body: toPublishedActionVersion(await clients.actions.getVersion(params, { caller: principal })) };
}
