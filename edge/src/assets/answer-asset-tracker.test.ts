import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Bus, type NoticeHandler } from '@parley/kit/bus/bus';
import { createLogger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Asset } from '@parley/protos/asset/v1/asset';
import { AssetChanged } from '@parley/protos/events/v1/events';
import { type Clients } from '../clients.ts';
import { type ChangeWatcher, watchAssets } from '../watch/change-watcher.ts';
import { plainLink } from '../wire/link-writer.ts';
import { AnswerAssetTracker, type AssetWaitOutcome } from './answer-asset-tracker.ts';

const ARTIFACT = { assetId: 'a1', assetType: 'image', fileName: 'cat.png', mimeType: 'image/png', connectionId: 'c', reference: 'r' };
const ACCEPTED = { conversationId: 'c1', messageId: 'm1', model: 'm', created: 1 };

function asset(id: string, status: string): Asset {
  const about = { assetType: 'image', fileName: 'cat.png', mimeType: 'image/png', sizeBytes: 0, retryCount: 0, sha256: '' };
  return { id, status, ...about, conversationId: 'c1', messageId: 'm1', errorCondition: '', errorMessage: '' };
}

/** Lets everything run that waits for nothing but promises. */
const settled = () => jest.advanceTimersByTimeAsync(0);

describe('AnswerAssetTracker', () => {
  let notice: NoticeHandler;
  let watch: ChangeWatcher;
  let assets: AnswerAssetTracker;
  let sent: string[];
  let warnings: number;
  let status: string;
  let registerArtifacts: jest.Mock<() => Promise<{ assets: Asset[] }>>;
  let listAssets: jest.Mock<() => Promise<{ assets: Asset[] }>>;
  beforeEach(() => {
    jest.useFakeTimers();
    const bus: Pick<Bus, 'onNotice'> = { onNotice: (_subject, handler) => ((notice = handler), () => undefined) };
    watch = watchAssets(bus);
    sent = [];
    warnings = 0;
    status = 'discovered';
    registerArtifacts = jest.fn(async () => ({ assets: [asset('a1', status)] }));
    listAssets = jest.fn(async () => ({ assets: [asset('a1', status)] }));
    const log = createLogger({ service: 'test', level: 'warn', destination: { write: () => void warnings++ } });
    assets = new AnswerAssetTracker({
      clients: { asset: { registerArtifacts, listAssets } as unknown as Clients['asset'] },
      watch,
      caller: SYSTEM_CALLER,
      accepted: ACCEPTED,
      log,
      link: plainLink,
      emit: ({ type }) => void sent.push(type),
    });
  });
  afterEach(() => {
    assets.stop();
    jest.useRealTimers();
  });
  const settle = (ms: number) =>
    assets.notifyWhenSettled(
      ms,
      (outcome) => sent.push(`over: ${outcome}`),
      () => sent.push('open'),
    );
  const say = (assetId: string) => notice(AssetChanged.encode({ ...AssetChanged.decode(new Uint8Array()), assetId }).finish(), '');

  it('reads the assets at once on a notice of one of them, and on no other notice', async () => {
    assets.trackArtifact(ARTIFACT);
    await settled();
    status = 'ready';
    void say('another');
    await settled();
    expect([sent, listAssets.mock.calls.length]).toEqual([['asset.discovered'], 0]);
    void say('a1');
    await settled();
    expect(sent).toEqual(['asset.discovered', 'asset.processing', 'asset.ready']);
    expect(watch.size).toBe(0);
  });

  it('looks again when a notice comes during a look', async () => {
    assets.trackArtifact(ARTIFACT);
    void say('a1');
    void say('a1');
    await settled();
    expect([registerArtifacts.mock.calls.length, listAssets.mock.calls.length]).toEqual([1, 1]);
  });

  it('makes known what is not known yet with each look, and warns once', async () => {
    registerArtifacts.mockRejectedValue(new Error('away'));
    assets.trackArtifact(ARTIFACT);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([registerArtifacts.mock.calls.length, sent, warnings]).toEqual([4, [], 1]);
    registerArtifacts.mockResolvedValue({ assets: [asset('a1', 'failed')] });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual(['asset.discovered', 'asset.processing', 'asset.failed']);
  });

  it('makes no call once all are over, and sends no event once it is stopped', async () => {
    assets.trackArtifact(ARTIFACT);
    await settled();
    status = 'ready';
    await jest.advanceTimersByTimeAsync(5_000);
    expect(listAssets).toHaveBeenCalledTimes(1);
    assets.trackArtifact({ ...ARTIFACT, assetId: 'a2' });
    assets.stop();
    await settled();
    expect([sent.length, watch.size]).toEqual([3, 0]);
  });

  it('waits until its time is up, or until the wait is ended, and reports the outcome', async () => {
    const ends: AssetWaitOutcome[] = [];
    assets.notifyWhenSettled(50, (outcome) => ends.push(outcome));
    expect(ends).toEqual(['settled']);
    assets.trackArtifact(ARTIFACT);
    expect(assets.endWait()).toBe(false);
    assets.notifyWhenSettled(50, (outcome) => ends.push(outcome));
    await jest.advanceTimersByTimeAsync(50);
    assets.notifyWhenSettled(50, (outcome) => ends.push(outcome));
    expect([assets.endWait(), assets.endWait()]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(100);
    expect(ends).toEqual(['settled', 'open', 'open']);
  });

  it('reports open assets once each has been announced or the service does not answer, and never without open assets', async () => {
    assets.trackArtifact(ARTIFACT);
    settle(50);
    expect(sent).toEqual([]);
    await settled();
    expect(sent).toEqual(['asset.discovered', 'open']);
    await jest.advanceTimersByTimeAsync(50);
    registerArtifacts.mockReturnValue(new Promise(() => undefined));
    assets.trackArtifact({ ...ARTIFACT, assetId: 'a2' });
    settle(50);
    await jest.advanceTimersByTimeAsync(50);
    expect(sent.slice(2)).toEqual(['over: open', 'asset.discovered', 'open', 'over: open']);
  });

  it('announces before it reports open assets what the service could not be asked for, and once', async () => {
    registerArtifacts.mockRejectedValueOnce(new Error('away'));
    assets.trackArtifact(ARTIFACT);
    settle(60_000);
    await settled();
    expect(sent).toEqual(['asset.discovered', 'open']);
    status = 'ready';
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent.slice(2)).toEqual(['asset.processing', 'asset.ready', 'over: settled']);
  });

  it('says nothing of being open where all are over by then', async () => {
    status = 'ready';
    assets.trackArtifact(ARTIFACT);
    settle(50);
    await settled();
    expect(sent).toEqual(['asset.discovered', 'asset.processing', 'asset.ready', 'over: settled']);
  });

  it('fails what was deleted with its conversation, and ends the wait at once', async () => {
    const outcomes: string[] = [];
    assets.trackArtifact(ARTIFACT);
    await settled();
    assets.notifyWhenSettled(60_000, (outcome) => void outcomes.push(outcome));
    listAssets.mockResolvedValue({ assets: [] });
    void say('a1');
    await settled();
    expect([sent, outcomes]).toEqual([['asset.discovered', 'asset.processing', 'asset.failed'], ['deleted']]);
  });
});
