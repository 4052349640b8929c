/** Bounds of connecting a connection step by step; times in milliseconds. */
export interface ConnectLimits {
  /** How long a flow lives. */
  lifeMs: number;
  /** How long an upstream may take for one answer. */
  stepMs: number;
  /** When an answer counts as lost with its process, so that the next one may be given; more than `stepMs`. */
  claimMs: number;
  /** How often flows that have expired are removed. */
  sweepMs: number;
  /** Wrong answers after which a flow has failed. */
  tries: number;
  /** Answers of any kind after which a flow has failed. */
  answers: number;
  /** Open flows of one login session in one workspace; the oldest gives way. */
  open: number;
}

/** What holds unless a test says otherwise. */
export const DEFAULT_CONNECT_LIMITS: ConnectLimits = {
  lifeMs: 600_000,
  stepMs: 20_000,
  claimMs: 40_000,
  sweepMs: 15_000,
  tries: 5,
  answers: 50,
  open: 5,
};
