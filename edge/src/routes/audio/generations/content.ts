import { type ServerResponse } from 'node:http';
import { type z } from 'zod';
import { type RouteDeps } from '../../deps.ts';
import { RESPONSE_SENT, type Input } from '../../route.ts';
import { type jobParams } from '../fields.ts';

/** Sends the audio of a completed job, whole or a range, or only its headers, from the listener of the audio service. */
export async function getAudioContent(
  { principal, params, req }: Input<z.output<typeof jobParams>>,
  { clients, downloads }: RouteDeps,
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  const { baseUrl, path } = await clients.audio.openContent({ id: params.job_id }, { caller: principal });
  downloads.forward(req, res, { service: 'audio', baseUrl, path });
  return RESPONSE_SENT;
}
