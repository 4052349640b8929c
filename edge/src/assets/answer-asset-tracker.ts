import { type Logger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { type Asset } from '@parley/protos/asset/v1/asset';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { type Clients } from '../clients.ts';
import { type ChangeWatcher } from '../watch/change-watcher.ts';
import { type LifecycleEvent, toAssetEvent } from '../wire/lifecycle-event.ts';
import { type LinkWriter } from '../wire/link-writer.ts';
import { AssetEventSequence } from './asset-event-sequence.ts';
import { listAssets } from './list-assets.ts';

/** Pause between polls in milliseconds; a notice triggers one at once. */
const POLL_MS = 1_000;
const CALL_MS = 5_000;
/** The state of an asset that was deleted. */
const DELETED = { status: 'failed', errorCondition: 'ASSET_NOT_FOUND', errorMessage: 'the asset was deleted with its conversation' };

/** Dependencies of AnswerAssetTracker. */
export interface AnswerAssetTrackerDeps {
  clients: Pick<Clients, 'asset'>;
  watch: ChangeWatcher;
  caller: Caller;
  accepted: TurnAccepted;
  log: Logger;
  link: LinkWriter;
  /** Called with every lifecycle event of an asset, in order. */
  emit: (event: LifecycleEvent) => void;
}

interface Track {
  artifact: Artifact;
  progress: AssetEventSequence;
  /** The last state that the asset service reported; undefined until the asset is registered. */
  seen: Asset | undefined;
  unsubscribe: () => void;
}

/** How the wait for the assets of an answer ended: all are ready or failed, some are not, or they were deleted with their conversation. */
export type AssetWaitOutcome = 'settled' | 'open' | 'deleted';

/**
 * Tracks the assets that an upstream generated in one answer: registers them with the asset service, and sends their events until they are
 * ready or failed.
 */
export class AnswerAssetTracker {
  readonly #parts: AnswerAssetTrackerDeps;
  readonly #tracks = new Map<string, Track>();
  readonly #poll: NodeJS.Timeout;
  #open = 0;
  #isLooking = false;
  #hasNews = false;
  #isOver = false;
  #hasWarned = false;
  #isDeleted = false;
  #isRecalling = false;
  #waiting: { over: (outcome: AssetWaitOutcome) => void; open: () => void; timer: NodeJS.Timeout } | undefined;

  constructor(parts: AnswerAssetTrackerDeps) {
    this.#parts = parts;
    this.#poll = setInterval(() => this.#isLooking || this.#look(), POLL_MS).unref();
  }

  /** True while an asset is neither ready nor failed. */
  get hasPendingAssets(): boolean {
    return this.#open > 0;
  }

  /** Tracks the assets of an earlier answer that is repeated; they are already registered. Deleted ones are left out. */
  trackExisting(assetIds: readonly string[]): void {
    const { caller, clients } = this.#parts;
    this.#open++;
    this.#isRecalling = true;
    void listAssets(clients, caller, assetIds)
      .then((found) => {
        for (const one of found.values()) this.#recall(one);
      })
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#isRecalling = false;
        if (--this.#open === 0) this.endWait();
        else this.#announceOpen();
      });
  }

  #recall(asset: Asset): void {
    if (this.#isOver || this.#tracks.has(asset.id)) return;
    const { id: assetId, assetType, fileName, mimeType } = asset;
    const artifact = { assetId, assetType, fileName, mimeType, connectionId: '', reference: '' };
    const unsubscribe = this.#parts.watch.subscribe(assetId, () => this.#look());
    this.#tracks.set(assetId, { artifact, progress: new AssetEventSequence(), seen: asset, unsubscribe });
    this.#open++;
    this.#take(asset);
  }

  /** Registers and tracks an asset that the upstream generated. */
  trackArtifact(artifact: Artifact): void {
    const { assetId } = artifact;
    if (this.#isOver || this.#tracks.has(assetId)) return;
    const unsubscribe = this.#parts.watch.subscribe(assetId, () => this.#look());
    this.#tracks.set(assetId, { artifact, progress: new AssetEventSequence(), seen: undefined, unsubscribe });
    this.#open++;
    this.#look();
  }

  /**
   * Calls `over` when all assets are ready or failed, at the latest after `ms` milliseconds. Calls `open` once before it when an asset is
   * neither, after an event of every asset was emitted.
   */
  notifyWhenSettled(ms: number, over: (outcome: AssetWaitOutcome) => void, open: () => void = () => undefined): void {
    if (!this.hasPendingAssets) return over(this.#outcome());
    this.#waiting = { over, open, timer: setTimeout(() => this.endWait(), ms) };
    if (!this.#isLooking && !this.#isRecalling) this.#announceOpen();
  }

  /** Ends the wait as if its time had expired; returns false when nothing waits. */
  endWait(): boolean {
    const waiting = this.#waiting;
    if (!waiting) return false;
    this.#announceOpen();
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    waiting.over(this.#outcome());
    return true;
  }

  #outcome(): AssetWaitOutcome {
    if (this.#isDeleted) return 'deleted';
    return this.hasPendingAssets ? 'open' : 'settled';
  }

  /** Stops tracking; registrations in progress complete. */
  stop(): void {
    this.#isOver = true;
    clearInterval(this.#poll);
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
    for (const { unsubscribe } of this.#tracks.values()) unsubscribe();
  }

  /** Returns all assets in their last known state, in the order in which they were generated. */
  list(): Asset[] {
    return [...this.#tracks.values()].map(({ seen, artifact }) => seen ?? this.#unheard(artifact));
  }

  #look(): void {
    if (this.#isOver || !this.hasPendingAssets) return;
    this.#hasNews = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    void Promise.all([this.#register(), this.#list()].map((call) => call.catch((error: unknown) => this.#warn(error)))).then(() => {
      this.#isLooking = false;
      this.#announceOpen();
      if (this.#hasNews) this.#look();
    });
  }

  #announceOpen(): void {
    if (!this.#waiting || !this.hasPendingAssets) return;
    for (const { seen, artifact, progress } of this.#tracks.values()) if (!seen) this.#emit(progress, this.#unheard(artifact));
    this.#waiting.open();
    this.#waiting.open = () => undefined;
  }

  /** Registers the assets that the asset service does not have yet. A failure is tolerated: the event of the turn registers them later. */
  async #register(): Promise<void> {
    const { clients, caller, accepted } = this.#parts;
    const artifacts = [...this.#tracks.values()].filter(({ seen }) => !seen).map(({ artifact }) => artifact);
    if (artifacts.length === 0) return;
    const request = { conversationId: accepted.conversationId, messageId: accepted.messageId, artifacts };
    const { assets } = await clients.asset.registerArtifacts(request, { caller, deadlineMs: CALL_MS });
    for (const one of assets) this.#take(one);
    this.#removeMissing(
      artifacts.map(({ assetId }) => assetId),
      new Set(assets.map(({ id }) => id)),
    );
  }

  async #list(): Promise<void> {
    const { clients, caller } = this.#parts;
    const open = [...this.#tracks].filter(([, { seen, progress }]) => seen && !progress.isComplete).map(([id]) => id);
    const found = await listAssets(clients, caller, open);
    for (const one of found.values()) this.#take(one);
    this.#removeMissing(open, found);
  }

  /** Marks the assets that the asset service no longer has: they were deleted with their conversation. */
  #removeMissing(ids: readonly string[], found: { has(id: string): boolean }): void {
    for (const id of ids) {
      const track = this.#tracks.get(id);
      if (found.has(id) || !track || track.progress.isComplete) continue;
      this.#isDeleted = true;
      this.#take({ ...(track.seen ?? this.#unheard(track.artifact)), ...DELETED });
    }
  }

  #take(asset: Asset): void {
    const track = this.#tracks.get(asset.id);
    if (this.#isOver || !track || track.progress.isComplete) return;
    track.seen = asset;
    this.#emit(track.progress, asset);
    if (!track.progress.isComplete) return;
    track.unsubscribe();
    if (--this.#open === 0) this.endWait();
  }

  #emit(progress: AssetEventSequence, asset: Asset): void {
    for (const step of progress.advance(asset)) this.#parts.emit(toAssetEvent(step, asset, this.#parts.link));
  }

  /** Returns the state of an asset that is not registered yet. */
  #unheard({ assetId, assetType, fileName, mimeType }: Artifact): Asset {
    const { conversationId, messageId, created } = this.#parts.accepted;
    const about = { id: assetId, assetType, fileName, mimeType, conversationId, messageId, createdAt: new Date(created * 1_000) };
    return { ...about, sizeBytes: 0, status: 'discovered', retryCount: 0, errorCondition: '', errorMessage: '', sha256: '' };
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.log.warn({ err: error, requestId: this.#parts.caller.requestId }, 'assets of an answer cannot be followed');
  }
}
