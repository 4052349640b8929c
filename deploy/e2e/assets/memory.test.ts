import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { settled } from '../harness/assets.ts';
import { ask, said } from '../harness/chat.ts';
import { open } from '../harness/http.ts';
import { type Parley, START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { type PartName, partOf } from '../harness/parts.ts';
import { makeTenant } from '../harness/tenant.ts';
import { attach, type Uploader } from '../harness/upload.ts';

const MIB = 1024 * 1024;
/** In MiB, for each process: far below what passes through, and what a busy machine is late to collect is part of it. */
const BOUND = 64;
const SERVICES: PartName[] = ['edge', 'asset', 'chat-routing', 'conversation', 'sandbox'];
const completion = z.looseObject({ assets: z.array(z.looseObject({ id: z.uuid() })).min(1) });

describe('large files pass through', () => {
  it(
    'an upload of 10 MB, and an asset of 100 MB that is fetched and downloaded, raise the memory of no process by more than 64 MB',
    async () => {
      const gateway = await startParley({ topology: 'separate' });
      try {
        const { apiKey: key } = await makeTenant(() => gateway);
        const me: Uploader = { gateway, key };
        const { conversation } = said(await ask(gateway, { key, say: 'hello' }));
        // What every process needs for its first files is not what this is about.
        await makeAndDrain(me);
        await uploadTenMegabytes(me, conversation);
        const watched = await watchMemory(gateway);
        await makeAndDrain(me);
        await uploadTenMegabytes(me, conversation);
        const grown = await Promise.all(watched.map(async ({ name, pid, before }) => ({ name, grown: (await peakBytes(pid)) - before })));
        const megabytes = grown.map(({ name, grown: bytes }) => ({ name, megabytes: Math.ceil(bytes / MIB) }));
        expect(megabytes.filter((each) => each.megabytes > BOUND)).toEqual([]);
      } finally {
        await gateway.dispose();
      }
    },
    START_MS + STOP_MS + 480_000,
  );
});

/** Text that does not compress, of exactly the size that is still taken. */
async function uploadTenMegabytes(me: Uploader, conversation: string): Promise<void> {
  const bytes = Buffer.from(randomBytes(5 * MIB).toString('hex'));
  await attach(me, conversation, { name: 'large.txt', bytes, type: 'text/plain' });
}

/** Has a file of 100 MB made, waits until the gateway has it, and downloads it. */
async function makeAndDrain(me: Uploader): Promise<void> {
  const { assets } = completion.parse((await ask(me.gateway, { key: me.key, say: 'make a file of 100 MB' })).json);
  const large = await settled(me, assets[0]?.id ?? '');
  expect(large).toMatchObject({ status: 'ready', size_bytes: 100_000_000 });
  expect(await drain(me, large.id)).toBe(large.size_bytes);
}

async function drain({ gateway, key }: Uploader, id: string): Promise<number> {
  const response = await open(gateway, 'GET', `/v1/assets/${id}/download`, { key });
  let size = 0;
  for await (const chunk of response.body ?? []) size += (chunk as Uint8Array).length;
  return size;
}

/** Resident bytes of each process now; restarts the peak that the system records. */
function watchMemory(gateway: Parley) {
  return Promise.all(
    SERVICES.map(async (name) => {
      const { pid } = await partOf(gateway, name);
      // 5 restarts the peak: https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
      await writeFile(`/proc/${pid}/clear_refs`, '5');
      return { name, pid, before: await peakBytes(pid) };
    }),
  );
}

/** Peak resident bytes of a process since the peak was restarted. */
async function peakBytes(pid: number): Promise<number> {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`the system reports no peak of process ${pid}`);
  return Number(kilobytes) * 1024;
}
