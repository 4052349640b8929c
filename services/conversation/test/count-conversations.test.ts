import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { ConversationClient } from './conversation-client.ts';
import { useService } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newCaller } from './turn-client.ts';

describe('counting the conversations of projects', () => {
  const caller = newCaller();
  const service = useService({ bus: createRecordingBus() });

  const count = async (upstreamProjectIds: string[], by: Caller = caller) =>
    (await service.running.stub.countConversations({ upstreamProjectIds }, { caller: by })).counts;

  it('counts those of all keys of the workspace, including archived ones, without deleted ones and those of other workspaces', async () => {
    const [one, two, none] = [uuidv7(), uuidv7(), uuidv7()] as const;
    const mine = new ConversationClient(service.running, caller);
    const colleague = new ConversationClient(service.running, newCaller({ workspaceId: caller.workspaceId }));
    const first = await mine.create({ upstreamProjectId: one });
    await mine.archive(first.id);
    await colleague.create({ upstreamProjectId: one });
    await mine.create({ upstreamProjectId: two });
    await mine.create();
    await mine.delete((await mine.create({ upstreamProjectId: two })).id);
    await mine.delete((await mine.create({ upstreamProjectId: none })).id);
    await new ConversationClient(service.running, newCaller()).create({ upstreamProjectId: one });
    const expected = [
      { upstreamProjectId: one, conversations: 2 },
      { upstreamProjectId: two, conversations: 1 },
    ];
    await expect(count([two, none, one, one])).resolves.toEqual(expected);
    await expect(count([one], newCaller())).resolves.toEqual([]);
    await expect(count([])).resolves.toEqual([]);
  });

  it('accepts 200 ids, and rejects a caller without a workspace', async () => {
    await expect(count(Array.from({ length: 200 }, uuidv7))).resolves.toEqual([]);
    await expect(count(Array.from({ length: 201 }, uuidv7))).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'upstream_project_ids',
    });
    await expect(count([uuidv7()], SYSTEM_CALLER)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
  });
});
