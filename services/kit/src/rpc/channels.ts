import { isLookedUp, type Lookup, placesOf, resolveAddress } from './addresses.ts';
import { Channel } from './channel.ts';

/** How a connection to a service behaves. */
export interface ChannelsOptions {
  /** After how long the stream of a multiplexed method is replaced, in milliseconds. @default 1_800_000 */
  streamLifeMs?: number;
  /** How often a `dns:///` name is looked up anew, in milliseconds. @default 30_000 */
  lookupMs?: number;
  /** Finds the hosts of a name. @default the system's resolver */
  lookup?: Lookup;
}

const STREAM_LIFE_MS = 30 * 60_000;
const LOOKUP_MS = 30_000;
/** A name is looked up at most so often when its addresses fail. */
const SOON_MS = 1_000;

/** A channel for each address of a service. Calls go where the fewest are under way; an address that fails is left out for a while. */
export class Channels {
  readonly #address: string;
  readonly #options: ChannelsOptions;
  /** Those in rotation, and those that only end what is under way. */
  readonly #open = new Set<Channel>();
  readonly #timer: NodeJS.Timeout | undefined;
  #rotation: Channel[] = [];
  /** Where the next look begins; not where every other process begins. */
  #turn = Math.floor(Math.random() * 1_000);
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(address: string, options: ChannelsOptions) {
    this.#address = address;
    this.#options = options;
    this.#adopt(placesOf(address));
    if (!isLookedUp(address)) return;
    this.#timer = setInterval(() => void this.#lookUp(), options.lookupMs ?? LOOKUP_MS).unref();
    void this.#lookUp();
  }

  /**
   * The channel for the next call: connected, not resting, the least busy, or of these always the same for one affinity.
   * Another one than `except` where there is one.
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
      const cost = channel === except ? Number.MAX_VALUE : costOf(channel, now, affinity);
      if (cost >= lowest) continue;
      lowest = cost;
      best = channel;
    }
    return best;
  }

  /** A call may be given to another address when one refuses it. */
  get isPlural(): boolean {
    return this.#rotation.length > 1;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const channel of [...this.#open]) channel.close();
  }

  /** What failed may have moved. */
  #troubled(): void {
    if (!this.#timer || performance.now() - this.#lookedUpAt < SOON_MS) return;
    void this.#lookUp();
  }

  async #lookUp(): Promise<void> {
    this.#lookedUpAt = performance.now();
    // While nobody knows better, what was known goes on.
    const places = await resolveAddress(this.#address, this.#options.lookup).catch(() => []);
    if (places.length > 0 && !this.#isClosed) this.#adopt(places);
  }

  #adopt(places: readonly string[]): void {
    const before = new Map(this.#rotation.map((channel) => [channel.place, channel]));
    this.#rotation = places.map((place) => before.get(place) ?? this.#start(place));
    for (const channel of before.values()) if (!places.includes(channel.place)) channel.retire();
    // Only who is connected gets calls while another one is.
    if (this.isPlural) for (const channel of this.#rotation) channel.wake();
  }

  #start(place: string): Channel {
    const { streamLifeMs = STREAM_LIFE_MS } = this.#options;
    const channel: Channel = new Channel(
      place,
      streamLifeMs,
      () => this.#troubled(),
      () => this.#open.delete(channel),
    );
    this.#open.add(channel);
    return channel;
  }
}

const COST = { ready: 0, connecting: 1e9, failed: 2e9, resting: 3e9 };

/** The fewest calls count among those that are alike; any that is connected comes before one that is not. */
function costOf(channel: Channel, now: number, affinity: string | undefined): number {
  const among = affinity === undefined ? channel.live : distance(affinity, channel.place);
  return COST[channel.isResting(now) ? 'resting' : channel.wake()] + among;
}

/** A number below a billion for a pair of texts: each address is the nearest to its share of all affinities (rendezvous hashing). */
function distance(affinity: string, place: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < affinity.length; at++) hash = Math.imul(hash ^ affinity.charCodeAt(at), 0x01000193);
  for (let at = 0; at < place.length; at++) hash = Math.imul(hash ^ place.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 1e9;
}
