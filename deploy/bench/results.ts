import { type Settings } from './run/settings.ts';

/** Scenarios with windows of flat-out load. */
export type ThroughputScenario = 'requests' | 'streams' | 'burst';

/** Everything that can be measured. */
export type Scenario = 'cost' | ThroughputScenario | 'latency' | 'memory' | 'idle' | 'stored' | 'audio' | 'hostile';

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  'cost',
  'requests',
  'streams',
  'burst',
  'latency',
  'memory',
  'idle',
  'stored',
  'audio',
  'hostile',
];

/** Scenarios of the goals: what `npm run bench -- goals` runs. */
export const GOAL_SCENARIOS: readonly Scenario[] = ['cost', 'requests', 'streams', 'burst', 'latency', 'audio'];

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

interface Waiting {
  /** Turns that the usage report does not count yet. */
  turns: number;
  /** Messages that the broker's consumers have not acknowledged. */
  messages: number;
  outboxRows: number;
}

/** The backlog of a target at both ends of a window. */
export interface PutOff {
  before: Waiting;
  after: Waiting;
  /** The backlog is larger at the end than at the beginning. */
  grown: boolean;
  /** From the end of the window until the backlog is as small as at its beginning. */
  workedOffMs: number;
}

/** One window of flat-out load. */
export interface ThroughputWindow extends WindowBase {
  kind: ThroughputScenario;
  answered: number;
  seconds: number;
  perSecond: number;
  /** The same, with the time in which the target works off its backlog. */
  sustainedPerSecond: number;
  putOff?: PutOff;
  /** CPU µs of the target (all its processes) for one answer, inside the window only: the cost scenario counts all of it. */
  cpuMicrosEach: number;
  /** Cores that the target used, and that load and mock used together. */
  targetCores: number;
  loadCores: number;
  /** The load's core was full and the target's was not: the target can do more than this. */
  mockBound: boolean;
  /** How long the target stayed busy after the window, in ms. */
  settleMs: number;
}

/**
 * Turns of one window of the cost scenario: each opens a conversation, or goes on with one; streams of 64 chunks; or conversations with an
 * upstream that answers after half a second.
 */
export type CostTurns = 'new' | 'continued' | 'streams' | 'thinking';

/** A part of what a turn costs. */
export interface CostShare {
  name: string;
  each: number;
}

/** What one statement costs for a turn. */
export interface StatementCost {
  text: string;
  calls: number;
  /** Time in execution: it contains waits. */
  micros: number;
  rows: number;
  walBytes: number;
}

/** Some thousand turns, counted until the target is idle again. Everything is for one turn, less what the target uses when it is idle. */
export interface CostWindow extends WindowBase {
  kind: 'cost';
  turns: CostTurns;
  answered: number;
  perSecond: number;
  cpuMicrosEach: number;
  /** Of it, while the load ran and afterwards. */
  inLoadMicrosEach: number;
  afterwardsMicrosEach: number;
  /** The target's idle level, in cores. */
  idleCores: number;
  /** From the last answer to the beginning of two seconds at the idle level; undefined: never reached. */
  busyMs?: number;
  processes: CostShare[];
  /** Only where the target has a database of its own. */
  wal?: { bytesEach: number; fullPagesEach: number; processes: CostShare[] };
  statements?: StatementCost[];
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
export type Window = CostWindow | ThroughputWindow | LatencyWindow | MemoryWindow | IdleWindow | StoredWindow | AudioWindow | HostileWindow;

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
