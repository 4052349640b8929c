import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { settled } from '../harness/assets.ts';
import { ask, said } from '../harness/chat.ts';
import { open } from '../harness/http.ts';
import { type Parley, START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { type PartName, partOf } from '../harness/parts.ts';
import { makeTenant } from '../harness/tenant.ts';
import { attach, type Uploader } from '../harness/upload.ts';

const MIB = 1024 * 1024;
/** In MiB, for each process. */
const BOUND = 32;
const SERVICES: PartName[] = ['edge', 'asset', 'chat-routing', 'conversation', 'sandbox'];
const completion = z.looseObject({ assets: z.array(z.looseObject({ id: z.uuid() })).min(1) });

describe('large files pass through', () => {
  it(
    'an upload of 10 MB, and an asset of 100 MB that is fetched and downloaded, raise the memory of no process by more than 32 MB',
    async () => {
      const gateway = await startParley({ topology: 'separate' });
      try {
        const { apiKey: key } = await makeTenant(() => gateway);
        const me: Uploader = { gateway, key };
        const { conversation } = said(await ask(gateway, { key, say: 'hello' }));
        // What every process needs for its first files is not what this is about.
        await makeAndDrain(me);
        await uploadTenMegabytes(me, conversation);
        const before = await memoryOf(gateway);
        const watch = watchMemory(gateway);
        await makeAndDrain(me);
        await uploadTenMegabytes(me, conversation);
        const peak = await watch.stop();
        const grown = SERVICES.map((name) => ({ name, megabytes: Math.ceil(((peak.get(name) ?? 0) - (before.get(name) ?? 0)) / MIB) }));
        expect(grown.filter(({ megabytes }) => megabytes > BOUND)).toEqual([]);
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

/** Resident bytes of each process, by part. */
async function memoryOf(gateway: Parley): Promise<Map<PartName, number>> {
  const sizes = await Promise.all(SERVICES.map(async (name) => [name, await residentBytes((await partOf(gateway, name)).pid)] as const));
  return new Map(sizes);
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Looks at the processes until it is stopped, and keeps the most that each had. */
function watchMemory(gateway: Parley) {
  const peak = new Map<PartName, number>();
  const look = async () => {
    for (const [name, size] of await memoryOf(gateway)) peak.set(name, Math.max(size, peak.get(name) ?? 0));
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, 50);
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
      await look();
      return peak;
    },
  };
}
