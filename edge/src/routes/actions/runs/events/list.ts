import { type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { readHeader } from '../../../../middleware/read-header.ts';
import { getRequestContext } from '../../../../middleware/request-context.ts';
import { validate } from '../../../../middleware/validate.ts';
import { type actionRunEvent, toActionRunEvent } from '../../../../wire/action-run.ts';
import { getLinkWriter } from '../../../../wire/link-writer.ts';
import { type RouteDeps } from '../../../deps.ts';
import { paging } from '../../../paging.ts';
import { RESPONSE_SENT, type Input, type Reply } from '../../../route.ts';
import { type runParams } from '../../fields.ts';
import { RunEventStream } from './run-event-stream.ts';

const sequence = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number from 0 on')
  .transform(Number);

/** Query parameters of the events of a run. */
export const runEventsQuery = z.object({
  after: sequence.optional().meta({ type: 'integer', minimum: 0, default: 0, description: 'Only events after this `sequence`.' }),
  limit: paging.limit,
});

const LAST_EVENT_ID = 'Last-Event-ID';

/** Request header with which a client resumes an event stream. */
export const runEventsHeaders = z.object({
  [LAST_EVENT_ID]: z.string().optional().meta({ description: 'The last received `sequence`; `after` takes precedence.' }),
});

/**
 * Returns the events of a run after a `sequence`, in order. A client that accepts `text/event-stream` gets all of them as a stream, with
 * the `sequence` as id, until the run has ended; others get a page.
 */
export async function listActionRunEvents(
  { principal, params, query, req }: Input<z.output<typeof runParams>, z.output<typeof runEventsQuery>>,
  { clients, config, runWatch, draining }: RouteDeps,
  res: ServerResponse,
): Promise<Reply<z.input<typeof actionRunEvent>[]> | typeof RESPONSE_SENT> {
  const after = query.after ?? lastEventId(req);
  const listEvents = (from: number, limit: number) =>
    clients.actions.listRunEvents({ slug: params.slug, id: params.run_id, after: from, limit }, { caller: principal });
  const firstPage = await listEvents(after, query.limit);
  if (!wantsStream(req)) {
    const next = firstPage.events.at(-1)?.sequence ?? after;
    const path = `/v1/actions/${params.slug}/runs/${params.run_id}/events`;
    const link = `<${getLinkWriter(principal)(path, { after: String(next), limit: String(query.limit) })}>; rel="next"`;
    return { body: firstPage.events.map(toActionRunEvent), ...(!firstPage.complete && { headers: { link } }) };
  }
  // 204 stops an EventSource that reconnects after the last event.
  if (firstPage.complete && firstPage.events.length === 0) {
    res.writeHead(204, { 'x-request-id': getRequestContext(req).id }).end();
    return RESPONSE_SENT;
  }
  const { pingIntervalMs: pingMs, stalledClientMs: stalledMs } = config;
  const headers = { 'x-request-id': getRequestContext(req).id };
  const live = new RunEventStream({ res, sse: { headers, pingMs, stalledMs }, listEvents, after, firstPage });
  await live.run((moved) => runWatch.subscribe(params.run_id, moved), draining);
  return RESPONSE_SENT;
}

function wantsStream({ headers }: IncomingMessage): boolean {
  return (headers.accept ?? '').split(',').some((type) => type.trim().toLowerCase().startsWith('text/event-stream'));
}

function lastEventId({ headers }: IncomingMessage): number {
  const value = readHeader(headers, LAST_EVENT_ID);
  return value === '' ? 0 : validate(z.object({ [LAST_EVENT_ID]: sequence }), { [LAST_EVENT_ID]: value }, 'header')[LAST_EVENT_ID];
}
