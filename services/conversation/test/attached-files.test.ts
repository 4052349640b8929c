import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type AttachedFile, type NewMessage } from '@parley/protos/conversation/v1/conversation';
import { upstreamMessage } from './conversation-client.ts';
import { useService } from './fixture.ts';
import { newBeginTurn } from './turn-client.ts';

const newFile = (fileName: string): AttachedFile => ({ fileId: `file_${fileName}`, assetId: uuidv7(), fileName, mimeType: 'text/plain' });
const asking = (over: Partial<NewMessage> = {}) => ({
  messages: [{ id: uuidv7(), role: 'user', text: 'What do they say?', parts: [], files: [], ...over }],
});

describe('files attached to messages', () => {
  const service = useService();

  const history = async (conversationId: string) => (await service.client.listHistory({ conversationId, beforeTurnId: '' })).messages;

  it('are listed with the history, and their assets with the message', async () => {
    const files = [newFile('b.txt'), newFile('a.txt')];
    const { conversationId, messages } = await service.client.turn(newBeginTurn(asking({ files })));
    await expect(history(conversationId)).resolves.toMatchObject([
      { text: 'What do they say?', parts: [], files },
      { parts: [], files: [] },
    ]);
    const assetIds = files.map(({ assetId }) => assetId);
    await expect(service.conversations.messages(conversationId)).resolves.toMatchObject([{ assetIds }, { assetIds: [] }]);
    await expect(service.conversations.message(messages[0]?.id ?? '')).resolves.toMatchObject({ status: 'completed', assetIds });
  });

  it('are separate from images', async () => {
    const parts = [
      { content: { $case: 'text', value: 'See' } as const },
      { content: { $case: 'imageUrl', value: 'data:image/png;base64,AAAA' } as const },
    ];
    const file = { ...newFile('a.txt'), fileName: 'a\0.txt' };
    const { conversationId } = await service.client.turn(newBeginTurn(asking({ parts, files: [file] })));
    await expect(history(conversationId)).resolves.toMatchObject([{ parts, files: [{ ...file, fileName: 'a.txt' }] }, {}]);
    await expect(service.conversations.messages(conversationId)).resolves.toMatchObject([{ assetIds: [file.assetId] }, {}]);
  });

  it('are in neither the title nor the search', async () => {
    const { conversationId } = await service.client.turn(
      newBeginTurn(asking({ text: 'Summarize ocelots', files: [newFile('serval.txt')] })),
    );
    await waitFor(async () => (await service.conversations.search('ocelots')).includes(conversationId));
    await expect(service.conversations.search('serval')).resolves.toEqual([]);
    const titled = await waitFor(async () => (await service.conversations.get(conversationId)).conversation?.title);
    expect(titled).toBe('Summarize ocelots');
  });

  it.each([
    ['alone', [], []],
    ['with parts', [{ content: { $case: 'text', value: 'Old' } as const }], [{ content: { $case: 'text', value: 'New' } as const }]],
  ])('stay with a message that was edited upstream, %s', async (_name, parts, after) => {
    const files = [newFile('a.txt')];
    const turn = await service.client.turn(newBeginTurn(asking({ text: 'Old', parts, files })));
    const of = { clientTurnId: turn.turnId };
    const answered = upstreamMessage('u-2', { ...of, role: 'assistant', text: 'Hi there' });
    await service.conversations.merge(turn.conversationId, [upstreamMessage('u-1', { ...of, text: 'New' }), answered]);
    await expect(history(turn.conversationId)).resolves.toMatchObject([{ text: 'New', parts: after, files }, {}]);
  });

  it('are rejected without the id of an asset', async () => {
    const refused = service.client.begin(newBeginTurn(asking({ files: [{ ...newFile('a.txt'), assetId: '' }] })));
    await expect(refused).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'messages' });
  });
});
