import { GatewayError } from '@parley/protos/errors';
import { type ServerResponse } from 'node:http';
import { z } from 'zod';
import { getSwaggerUiFiles } from '../../openapi/swagger-ui/files.ts';
import { getSwaggerUiPage } from '../../openapi/swagger-ui/page.ts';
import { type RouteDeps } from '../deps.ts';
import { RESPONSE_SENT, type Input } from '../route.ts';

/** The path parameter with the name of a file of the view. */
export const viewFileParams = z.object({ file: z.string().max(200) });

/** Serves the interactive view of the public API description. */
export async function getView({ req }: Input, _deps: RouteDeps, res: ServerResponse): Promise<typeof RESPONSE_SENT> {
  await getSwaggerUiPage().send(req, res);
  return RESPONSE_SENT;
}

/** Serves a script or a style of the view. @throws GatewayError NOT_FOUND */
export async function getViewFile(
  { req, params }: Input<z.output<typeof viewFileParams>>,
  _deps: RouteDeps,
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  const asset = getSwaggerUiFiles().byName.get(params.file);
  if (!asset) throw new GatewayError('NOT_FOUND', 'the view has no such file');
  await asset.send(req, res);
  return RESPONSE_SENT;
}
