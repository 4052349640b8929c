import { needsLookup, type HostLookup, listTargets, resolveTargets } from './addresses.ts';
import { Channel } from './channel.ts';

/** Options of the connections to a service. */
export interface ChannelPoolOptions {
  /** After how long the stream of a multiplexed method is replaced, in milliseconds. @default 1_800_000 */
  streamLifeMs?: number;
  /** How often a `dns:///` name is resolved again, in milliseconds. @default 30_000 */
  lookupMs?: number;
  /** Resolves a host name. @default the system's resolver */
  lookup?: HostLookup;
}

const STREAM_LIFE_MS = 30 * 60_000;
const LOOKUP_MS = 30_000;
/** The shortest interval between lookups while targets fail or shut down. */
const SOON_MS = 1_000;

/** A channel for each target of a service. Calls go to the target with the fewest calls in progress; a target that fails is avoided for a while. */
export class ChannelPool {
  readonly #address: string;
  readonly #options: ChannelPoolOptions;
  /** Channels in rotation, and retired ones that wait for their last calls. */
  readonly #open = new Set<Channel>();
  readonly #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #rotation: Channel[] = [];
  /** Index at which the next search starts; random, so that processes do not start with the same target. */
  #turn = Math.floor(Math.random() * 1_000);
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(address: string, options: ChannelPoolOptions) {
    this.#address = address;
    this.#options = options;
    this.#setTargets(listTargets(address));
    if (!needsLookup(address)) return;
    this.#timer = setInterval(() => void this.#lookUp(), options.lookupMs ?? LOOKUP_MS).unref();
    void this.#lookUp();
  }

  /**
   * Returns the channel for the next call: a connected one that is not backing off, with the fewest calls in progress, or always the same
   * one for an affinity. Returns `except` only when it is the only channel.
   */
  pick(affinity?: string, except?: Channel): Channel {
    const rotation = this.#rotation;
    let [best] = rotation as [Channel];
    if (rotation.length === 1) return best;
    const now = performance.now();
    const start = this.#turn++;
    let lowest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < rotation.length; n++) {
      const channel = rotation[(start + n) % rotation.length] as Channel;
      const cost = channel === except ? Number.MAX_VALUE : toCost(channel, now, affinity);
      if (cost >= lowest) continue;
      lowest = cost;
      best = channel;
    }
    return best;
  }

  /**
   * Returns another connected channel that is not backing off, for a call that `failed` did not carry out; undefined when there is none.
   */
  pickOther(affinity: string | undefined, failed: Channel): Channel | undefined {
    if (this.#isClosed) return undefined;
    const now = performance.now();
    // The filter calls `connectIfNeeded` on every channel that does not back off, so that all of them connect.
    const ready = this.#rotation.filter((channel) => !channel.isBackingOff(now) && channel.connectIfNeeded() === 'ready');
    const other = this.pick(affinity, failed);
    return ready.includes(other) ? other : undefined;
  }

  /** Whether there are several targets, so that a failed call can be sent to another one. */
  get hasSeveralTargets(): boolean {
    return this.#rotation.length > 1;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    for (const channel of [...this.#open]) channel.close();
  }

  /** Resolves the name again soon: a failed target may have moved, and one that shuts down may have been replaced. */
  #onFailure(): void {
    if (!this.#timer || this.#soon || this.#isClosed) return;
    const waitMs = Math.max(0, this.#lookedUpAt + SOON_MS - performance.now());
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.#lookUp();
    }, waitMs).unref();
  }

  async #lookUp(): Promise<void> {
    this.#lookedUpAt = performance.now();
    // When the lookup fails, the known targets stay.
    const targets = await resolveTargets(this.#address, this.#options.lookup).catch(() => []);
    if (targets.length > 0 && !this.#isClosed) this.#setTargets(targets);
    // DNS publishes changes with a delay, so resolve again while a target still backs off.
    const now = performance.now();
    if (this.#rotation.some((channel) => channel.isBackingOff(now))) this.#onFailure();
  }

  #setTargets(targets: readonly string[]): void {
    const before = new Map(this.#rotation.map((channel) => [channel.target, channel]));
    const hasPeers = targets.length > 1;
    this.#rotation = targets.map((target) => {
      const known = before.get(target);
      return known?.hasPeers === hasPeers ? known : this.#start(target, hasPeers);
    });
    for (const channel of before.values()) if (!this.#rotation.includes(channel)) channel.retire();
    // Connects all of them: a connected target is preferred.
    if (this.hasSeveralTargets) for (const channel of this.#rotation) channel.connectIfNeeded();
  }

  #start(target: string, hasPeers: boolean): Channel {
    const { streamLifeMs = STREAM_LIFE_MS } = this.#options;
    const channel: Channel = new Channel(
      target,
      hasPeers,
      streamLifeMs,
      () => this.#onFailure(),
      () => this.#open.delete(channel),
    );
    this.#open.add(channel);
    return channel;
  }
}

const COST = { ready: 0, connecting: 1e9, failed: 2e9, backingOff: 3e9 };

/** The state of the connection counts first, then the number of calls in progress. */
function toCost(channel: Channel, now: number, affinity: string | undefined): number {
  const among = affinity === undefined ? channel.activeCallCount : distance(affinity, channel.target);
  return COST[channel.isBackingOff(now) ? 'backingOff' : channel.connectIfNeeded()] + among;
}

/** A hash below a billion of a pair of texts, for rendezvous hashing: every target is the nearest for its share of all affinities. */
function distance(affinity: string, target: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < affinity.length; at++) hash = Math.imul(hash ^ affinity.charCodeAt(at), 0x01000193);
  for (let at = 0; at < target.length; at++) hash = Math.imul(hash ^ target.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 1e9;
}
