import { waitFor } from '@parley/kit/testing/wait-for';
import { getFreePort } from '../../../local/supervisor/ports.ts';
import { UNKNOWN_ID } from '../../bad-inputs/rows.ts';
import { stream } from '../../harness/chat.ts';
import { query } from '../../harness/database.ts';
import { readUntil } from '../../harness/event-stream.ts';
import { extraProcesses } from '../../harness/extra-processes.ts';
import { call } from '../../harness/http.ts';
import { freeze, partOf } from '../../harness/parts.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { type Provoke, type Row } from '../row.ts';

type Services = Awaited<ReturnType<typeof extraProcesses>>;
const get = (gateway: Parameters<Provoke>[0], path: string) => call(gateway, 'GET', path, { key: gateway.apiKey });

/** Sends a request through an edge of its own that is configured with a wrong address of a service. */
const misdirected = (path: string, where: (services: Services['addresses']) => Promise<Record<string, string>>): Provoke => {
  return async (gateway) => {
    const { addresses, edge, stop } = await extraProcesses(gateway);
    try {
      const { at } = await edge('misdirected', await where(addresses));
      return await get(at, path);
    } finally {
      await stop();
    }
  };
};

/** A connection whose keep-alive ping goes out in the moment of the freeze breaks just before the deadline: that is another error, and as true. */
const FREEZES = 3;

const frozen: Provoke = async (gateway) => {
  for (let freezes = 1; ; freezes++) {
    const thaw = await freeze((await partOf(gateway, 'asset')).pid);
    const answer = await get(gateway, `/v1/assets/${UNKNOWN_ID}`).finally(thaw);
    if (answer.status === 504 || freezes === FREEZES) return answer;
  }
};

/** Sends a request to an edge of its own that received SIGTERM while it still answers another. */
const stopping: Provoke = async (gateway) => {
  const { edge, stop } = await extraProcesses(gateway);
  try {
    const { at, process } = await edge('stopping');
    return await new Sandbox(() => gateway).paced(50, async () => {
      const { reader } = await readUntil(await stream(at, { say: 'count to 1000' }), (raw) => raw.includes('" 2"'));
      process.signal('SIGTERM');
      await waitFor(async () => (await get(at, '/readyz')).status === 503);
      const answer = await get(at, '/v1/models');
      await reader.cancel();
      return answer;
    });
  } finally {
    await stop();
  }
};

/** Asks for rows of a table that is not there: an unforeseen error. */
const unforeseen: Provoke = async (gateway) => {
  await query(gateway, 'ALTER TABLE conversation.messages RENAME TO mislaid');
  try {
    return await get(gateway, `/v1/messages/${UNKNOWN_ID}`);
  } finally {
    await query(gateway, 'ALTER TABLE conversation.mislaid RENAME TO messages');
  }
};

/** What is wrong with the gateway itself, which has a process for each of its services. */
export const OWN_FAULTS: readonly Row[] = [
  [
    'SERVICE_UNAVAILABLE',
    'a service is away',
    misdirected('/v1/usage', async () => ({ PARLEY_USAGE_ADDRESS: `127.0.0.1:${await getFreePort()}` })),
    { waits: true },
  ],
  [
    'NOT_IMPLEMENTED',
    'a service is of a release that lacks the operation',
    misdirected('/v1/usage', async ({ PARLEY_CONVERSATION_ADDRESS = '' }) => ({ PARLEY_USAGE_ADDRESS: PARLEY_CONVERSATION_ADDRESS })),
  ],
  ['TIMEOUT', 'a service hangs', frozen],
  ['SHUTTING_DOWN', 'the edge is shutting down', stopping, { waits: true, headers: { connection: /^close$/ } }],
  ['INTERNAL_ERROR', 'an unforeseen error', unforeseen],
];
