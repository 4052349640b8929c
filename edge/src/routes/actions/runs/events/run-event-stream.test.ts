import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type RunEvent } from '@parley/protos/actions/v1/actions';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { RunEventStream } from './run-event-stream.ts';

const event = (sequence: number, type = 'step.started'): RunEvent => ({ sequence, type, stepId: '', data: '', at: new Date(0) });
const NEVER = new AbortController().signal;

describe('RunEventStream', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close().closeAllConnections());

  /** Serves one run to one client; `news` is what each look after the first page finds. */
  async function serve(first: RunEvent[], news: (after: number) => { events: RunEvent[]; complete: boolean }) {
    const seen = { looks: 0, followers: 0, isOver: false, moved: () => {} };
    server = createServer((_req, res) => {
      const listEvents = async (after: number) => {
        seen.looks++;
        return news(after);
      };
      const sse = { headers: {}, pingMs: 60_000, stalledMs: 60_000 };
      const live = new RunEventStream({ res, sse, listEvents, after: 0, firstPage: { events: first, complete: false } });
      const subscribe = (moved: () => void) => {
        seen.followers++;
        seen.moved = moved;
        return () => void seen.followers--;
      };
      void live.run(subscribe, NEVER).then(() => (seen.isOver = true));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
    const [response] = (await once(client, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    client.on('error', () => undefined);
    return { seen, client, text: () => text };
  }

  it('polls at once on a notice', async () => {
    const { seen, text } = await serve([event(1)], (after) => ({ events: after === 1 ? [event(2, 'run.ended')] : [], complete: true }));
    await waitFor(() => text().includes('id: 1'));
    seen.moved();
    await waitFor(() => seen.isOver);
    expect([seen.looks, seen.followers]).toEqual([1, 0]);
    await waitFor(() => text().includes('id: 2'));
  });

  it('has no subscription any more when its client is gone', async () => {
    const { seen, client, text } = await serve([event(1)], () => ({ events: [], complete: false }));
    await waitFor(() => text().includes('id: 1'));
    client.destroy();
    await waitFor(() => seen.isOver);
    expect(seen.followers).toBe(0);
  });

  it('reads page after page without a pause', async () => {
    const page = (after: number) => Array.from({ length: 200 }, (_, index) => event(after + index + 1));
    const { seen, text } = await serve([event(1)], (after) =>
      after > 500 ? { events: [], complete: true } : { events: page(after), complete: false },
    );
    await waitFor(() => text().includes('id: 1\n'));
    seen.moved();
    await waitFor(() => text().includes('id: 601\n'));
    await waitFor(() => seen.isOver);
    expect(text().match(/^id: /gm)).toHaveLength(601);
  });
});
