import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { call } from '../harness/http.ts';
import { type Gateway } from '../harness/parley.ts';
import { type Tenant } from '../harness/tenant.ts';

const entry = z.looseObject({ enabled: z.boolean(), reason: z.string().optional() });
const manifest = z.looseObject({
  capabilities: z.looseObject({
    chat: entry,
    conversations: entry,
    projects: entry,
    files: entry,
    images: entry,
    project_files: entry,
    usage: entry,
    audio: z.looseObject({ transcription: entry, speech_generation: entry }),
  }),
  providers: z.record(z.string(), z.looseObject({ connected: z.boolean() })),
});

/** The manifest as a workspace sees it. */
export async function manifestOf(gateway: Gateway, { apiKey }: Pick<Tenant, 'apiKey'>): Promise<z.infer<typeof manifest>> {
  return manifest.parse((await call(gateway, 'GET', '/v1/capabilities', { key: apiKey })).json);
}

/** What of a manifest is on: true, the reason why not, or false where there is none. */
export type Flags = Record<string, boolean | string>;

/** Every flag of a workspace. */
export async function flagsOf(gateway: Gateway, tenant: Pick<Tenant, 'apiKey'>): Promise<Flags> {
  const { audio, chat, conversations, projects, files, images, project_files, usage } = (await manifestOf(gateway, tenant)).capabilities;
  const entries = {
    ...{ chat, conversations, projects, files, images, project_files, usage },
    ...{ transcription: audio.transcription, speech: audio.speech_generation },
  };
  return Object.fromEntries(Object.entries(entries).map(([name, { enabled, reason }]) => [name, enabled || (reason ?? false)]));
}

/** Waits until these flags are as they are expected to be. Throws with how they are when that does not come. */
export async function becomes(gateway: Gateway, tenant: Pick<Tenant, 'apiKey'>, expected: Flags): Promise<void> {
  let flags: Flags = {};
  const isSo = async () => {
    flags = await flagsOf(gateway, tenant);
    return Object.entries(expected).every(([name, value]) => flags[name] === value);
  };
  await waitFor(isSo).catch(() => {
    throw new Error(`expected ${JSON.stringify(expected)}, but the manifest says ${JSON.stringify(flags)}`);
  });
}
