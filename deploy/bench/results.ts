import { type Settings } from './run/settings.ts';

/** Scenarios with windows of flat-out load. */
export type ThroughputScenario = 'requests' | 'streams' | 'burst';

/** Everything that can be measured. */
export type Scenario = ThroughputScenario | 'latency' | 'memory' | 'idle' | 'stored' | 'audio' | 'hostile';

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = ['requests', 'streams', 'burst', 'latency', 'memory', 'idle', 'stored', 'audio', 'hostile'];

interface WindowBase {
  target: string;
  round: number;
  /** What part of one core others used meanwhile, hypervisor included. */
  foreignShare: number;
  /** Others used more than may be, in every attempt. */
  noisy: boolean;
  /** How often the window was measured until it was quiet. */
  attempts: number;
  /** Requests that did not end in a complete, correct answer: reason → count. */
  failures: Record<string, number>;
}

/** One window of flat-out load. */
export interface ThroughputWindow extends WindowBase {
  kind: ThroughputScenario;
  answered: number;
  seconds: number;
  perSecond: number;
  /** CPU µs of the target (all its processes) for one answer. */
  cpuMicrosEach: number;
  /** Cores that the target used, and that load and mock used together. */
  targetCores: number;
  loadCores: number;
  /** The load's core was full and the target's was not: the target can do more than this. */
  mockBound: boolean;
  /** How long the target stayed busy after the window, in ms. */
  settleMs: number;
}

/** One pair of windows at a low fixed rate; times in ms. */
export interface LatencyWindow extends WindowBase {
  kind: 'latency';
  p50Ms: number;
  p99Ms: number;
  firstChunkP50Ms: number;
  firstChunkP99Ms: number;
  chunkDelayP50Ms: number;
}

/** Memory of a freshly started target with many streams open. */
export interface MemoryWindow extends WindowBase {
  kind: 'memory';
  streams: number;
  baseKib: number;
  /** With half of the streams open. */
  halfKib: number;
  openKib: number;
  kibPerStream: number;
}

/** The first second of flat-out requests after a rest, beside the warm rate right before the rest. */
export interface IdleWindow extends WindowBase {
  kind: 'idle';
  warmPerSecond: number;
  firstPerSecond: number;
  ratio: number;
}

/** Which turns a window of the stored scenario holds: each opens a conversation, or goes on with a random stored one. */
export type StoredTurns = 'new' | 'continued';

/** Flat-out requests on a Parley with few or many stored conversations. */
export interface StoredWindow extends WindowBase {
  kind: 'stored';
  /** The size that the windows of this round compare with the small database. */
  size: number;
  database: 'small' | 'grown';
  turns: StoredTurns;
  /** Conversations in this window's database, before and after. */
  storedBefore: number;
  storedAfter: number;
  answered: number;
  perSecond: number;
  cpuMicrosEach: number;
}

/** Speech jobs by themselves, and chat at a low fixed rate without and beside some of them; times in ms. */
export interface AudioWindow extends WindowBase {
  kind: 'audio';
  /** What the timed jobs came to. */
  audioSeconds: number;
  jobsPerMinute: number;
  /** CPU of the target, engines included. */
  cpuMillisPerAudioSecond: number;
  p50Ms: number;
  p99Ms: number;
  besideJobsP50Ms: number;
  besideJobsP99Ms: number;
}

/** What others notice while large bodies of one kind are sent; times in ms. */
export interface HostileWindow extends WindowBase {
  kind: 'hostile';
  body: string;
  /** How many of them were answered, by status. */
  sent: number;
  statuses: Record<string, number>;
  /** The longest that the event loop with the edge in it was late. */
  loopDelayMs: number;
  livezP99Ms: number;
  livezMaxMs: number;
  /** Of streams that another client asks for. */
  firstChunkP50Ms: number;
  firstChunkP99Ms: number;
}

/** Any measured window. */
export type Window = ThroughputWindow | LatencyWindow | MemoryWindow | IdleWindow | StoredWindow | AudioWindow | HostileWindow;

/** A target's own record held against what the load got. */
export interface VerifiedRun {
  target: string;
  during: string;
  answered: number;
  ok: boolean;
  summary: string;
}

/** When, how and on what something ran. */
export interface RunFacts {
  startedAt: string;
  command: string;
  machine: { cpu: string; cores: number; node: string; kernel: string; pinning: string };
}

/** A whole run, as it is written to JSON. */
export interface Results extends RunFacts {
  settings: Settings;
  versions: Record<string, string>;
  /** Targets that could not be had: name → reason. */
  notAvailable: Record<string, string>;
  windows: Window[];
  verifications: VerifiedRun[];
}
