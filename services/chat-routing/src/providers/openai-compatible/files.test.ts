import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TextExtractor } from '@parley/file-content/extract';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { Readable } from 'node:stream';
import { type OutgoingFile } from '../file-operations.ts';
import { HttpPools } from '../http-pools.ts';
import { RecordingSink, upstreamTurn } from '../testing/sink.ts';
import { TestUpstream } from '../testing/upstream.ts';
import { type PreparedFile, type TurnFile, type UpstreamTurn } from '../upstream-turn.ts';
import { openAiCompatible } from './provider.ts';

const BUDGET = 200;
const bounds = { count: async (text: string) => text.length, budget: BUDGET };
const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
const never = new AbortController().signal;

describe('files with an upstream that takes none', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  let extractor: TextExtractor;
  beforeEach(async () => {
    upstream = await new TestUpstream().listen();
    pools = new HttpPools(1_000);
    extractor = new TextExtractor();
  });
  afterEach(async () => {
    await extractor.close();
    await pools.close();
    await upstream.close();
  });

  const provider = () => openAiCompatible(pools, { project: bounds, files: bounds, extractor });
  const account = { id: 'a', baseUrl: 'http://127.0.0.1:1', account: '', secret: '' };
  const upload = (name: string, mimeType: string, content: Buffer, over: Partial<OutgoingFile> = {}) => {
    const bytes = (async function* () {
      yield content.subarray(0, 3);
      yield content.subarray(3);
    })();
    return provider().files?.upload(account, { workspaceId: 'w', name, mimeType, size: content.length, bytes, signal: never, ...over });
  };

  it('are prepared where they arrive: a picture as it is, anything else as text', async () => {
    await expect(upload('a.png', 'image/png', PNG)).resolves.toEqual({
      upstreamRef: '',
      prepared: { text: '', omitted: '', original: PNG },
    });
    await expect(upload('a.txt', 'text/plain', Buffer.from('hello world'))).resolves.toEqual({
      upstreamRef: '',
      prepared: { text: 'hello world', omitted: '' },
    });
    const given = provider().projects?.addFile(account, '', {
      ...{ workspaceId: 'w', name: 'a.txt', mimeType: 'text/plain', size: 2, signal: never },
      bytes: (async function* () {
        yield Buffer.from('hi');
      })(),
    });
    await expect(given).resolves.toMatchObject({ status: 'ready', prepared: { text: 'hi' } });
    const photo = { workspaceId: 'w', name: 'a.png', mimeType: 'image/png', size: PNG.length, signal: never, bytes: Readable.from([PNG]) };
    const unseen = { text: '', omitted: '' };
    await expect(provider().projects?.addFile(account, '', photo)).resolves.toEqual({ upstreamRef: '', status: 'ready', prepared: unseen });
  });

  it('are read in the turn of their workspace, and refused with what the extractor refuses them with', async () => {
    const workspaces: string[] = [];
    const refusing = openAiCompatible(pools, {
      project: bounds,
      files: bounds,
      extractor: {
        extract: async (_bytes, { workspaceId }) => {
          workspaces.push(workspaceId);
          throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many files of this workspace wait to be read');
        },
      },
    });
    const file = { workspaceId: 'mine', name: 'a.txt', mimeType: 'text/plain', size: 1, signal: never };
    const refusal = { condition: 'RATE_LIMIT_EXCEEDED' };
    await expect(refusing.files?.upload(account, { ...file, bytes: Readable.from([Buffer.from('a')]) })).rejects.toMatchObject(refusal);
    const given = refusing.projects?.addFile(account, '', { ...file, bytes: Readable.from([Buffer.from('a')]) });
    await expect(given).rejects.toMatchObject(refusal);
    expect(workspaces).toEqual(['mine', 'mine']);
  });

  it('are given up in time', async () => {
    await extractor.close();
    extractor = new TextExtractor();
    const signal = AbortSignal.abort();
    await expect(upload('a.txt', 'text/plain', Buffer.from('hello'), { signal })).rejects.toMatchObject({ condition: 'TIMEOUT' });
  });

  const file = (id: string, prepared: PreparedFile, over: Partial<TurnFile> = {}): TurnFile => ({
    ...{ fileId: id, name: `${id}.txt`, mimeType: 'text/plain', sizeBytes: 10, upstreamRef: '', prepared: async () => prepared },
    ...over,
  });
  const picture = (id: string, sizeBytes = 10) =>
    file(id, { text: '', omitted: '', original: Buffer.from(id) }, { name: `${id}.png`, mimeType: 'image/png', sizeBytes });
  const said = (role: string, text: string, ...ids: string[]): HistoryMessage => ({
    ...{ id: text, role, text, parts: [], status: 'completed' },
    files: ids.map((fileId) => ({ fileId, assetId: '', fileName: `${fileId}.txt`, mimeType: 'text/plain' })),
  });

  /** The messages that the upstream got. */
  async function sentMessages(over: Partial<UpstreamTurn>): Promise<{ role: string; content: unknown }[]> {
    upstream.script = ({ res }) =>
      void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] }));
    const sink = new RecordingSink();
    provider().chat(upstreamTurn(`${upstream.url}/v1`, { stream: false, ...over }), sink);
    await waitFor(() => sink.outcomes.length > 0);
    expect(sink.outcomes).toMatchObject([{ finishReason: 'stop' }]);
    return upstream.received.at(-1)?.body.messages as { role: string; content: unknown }[];
  }

  it('are sent with the message they are attached to, with a note about what was left out', async () => {
    const messages = [
      { role: 'user', text: 'Read this', parts: [] },
      { role: 'system', text: 'Be brief', parts: [] },
    ];
    const [asked, other] = await sentMessages({ messages, files: [file('a', { text: 'alpha', omitted: 'Two pages are missing.' })] });
    expect(other).toEqual({ role: 'system', content: 'Be brief' });
    expect(asked?.content).toBe('--- file "a.txt"\nalpha\n[Two pages are missing.]\n--- end of "a.txt"\n\nRead this');
  });

  it('are sent as pictures beside the text where they are pictures', async () => {
    const [asked] = await sentMessages({ files: [picture('p'), file('a', { text: 'alpha', omitted: '' })] });
    expect(asked?.content).toEqual([
      { type: 'text', text: '--- file "a.txt"\nalpha\n--- end of "a.txt"' },
      { type: 'text', text: '[Picture "p.png":]' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${btoa('p')}` } },
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('of earlier messages are sent again, those that are gone by their names', async () => {
    const asked: string[][] = [];
    const earlierFiles = async (ids: readonly string[]) => (
      asked.push([...ids]),
      new Map([['a', file('a', { text: 'alpha', omitted: '' })]])
    );
    const history = [said('user', 'before', 'a', 'gone'), said('assistant', 'yes')];
    const [before, answer, now] = await sentMessages({ history: async () => history, earlierFiles });
    expect(before?.content).toContain('alpha');
    expect(before?.content).toContain('The file "gone.txt" was left out');
    expect([answer?.content, now?.content]).toEqual(['yes', 'Hello']);
    expect(asked).toEqual([['a', 'gone']]);
  });

  it('are not looked up where no message has any', async () => {
    const earlierFiles = () => Promise.reject(new Error('should not be asked'));
    await expect(sentMessages({ history: async () => [said('user', 'before')], earlierFiles })).resolves.toHaveLength(1);
  });

  it('get the budget of this turn first, then of the newest message, and are marked as cut', async () => {
    const long = (id: string) => file(id, { text: `${id} `.repeat(BUDGET / 4), omitted: '' });
    const earlierFiles = async () => new Map(['new', 'old'].map((id) => [id, long(id)]));
    const history = [said('user', '1', 'old'), said('assistant', 'a'), said('user', '2', 'new'), said('assistant', 'b')];
    const [old, , recent, , now] = await sentMessages({ history: async () => history, earlierFiles, files: [long('own')] });
    expect(now?.content).toContain('own own own');
    expect(now?.content).not.toContain('are shown: there is no room');
    expect(recent?.content).not.toContain('new new new');
    expect(recent?.content).toContain('This file was left out: there is no room for it.');
    expect(old?.content).toContain('This file was left out');
  });

  it('that are pictures beyond what all may weigh are left out, and not even read', async () => {
    const unread = { ...picture('big', 21 * 1024 * 1024), prepared: () => Promise.reject(new Error('should not be asked')) };
    const [asked] = await sentMessages({ files: [unread] });
    expect(asked?.content).toContain('The file "big.png" was left out');
  });

  it('fail the turn when they cannot be read', async () => {
    const sink = new RecordingSink();
    const lost = { ...file('a', { text: '', omitted: '' }), prepared: () => Promise.reject(new Error('down')) };
    provider().chat(upstreamTurn(`${upstream.url}/v1`, { files: [lost] }), sink);
    await waitFor(() => sink.outcomes.length > 0);
    expect(sink.outcomes).toMatchObject([{ error: { condition: 'INTERNAL_ERROR' } }]);
    expect(upstream.received).toEqual([]);
  });
});
