import { beforeAll, describe, it } from '@jest/globals';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { freeze, type PartName, partOf } from '../harness/parts.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';
import { becomes, type Flags } from './flags.ts';

const ALL = { chat: true, conversations: true, projects: true, files: true, images: true, project_files: true, usage: true, speech: true };

describe('a service that does not answer', () => {
  const gateway = oneSharedGateway('separate');
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await makeTenant(gateway);
  });

  it.each<[PartName, Flags]>([
    ['asset', { files: false, images: false, project_files: false }],
    ['audio', { speech: false }],
    ['conversation', { chat: false, conversations: false }],
    ['usage', { usage: false }],
  ])('%s takes with it what is its work, until it answers again', async (part, off) => {
    await becomes(gateway(), tenant, ALL);
    const thaw = await freeze((await partOf(gateway(), part)).pid);
    try {
      await becomes(gateway(), tenant, { ...ALL, ...off });
    } finally {
      thaw();
    }
    await becomes(gateway(), tenant, ALL);
  });
});
