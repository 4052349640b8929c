/** Limits of connect flows, which connect an account step by step; times in milliseconds. */
export interface ConnectLimits {
  /** Lifetime of a flow. */
  lifeMs: number;
  /** Timeout of the upstream for one step. */
  stepMs: number;
  /** After this time the claim of an answer counts as lost with its process, and the next answer is accepted; longer than `stepMs`. */
  claimMs: number;
  /** Interval at which expired flows are deleted. */
  sweepMs: number;
  /** Wrong answers after which a flow fails. */
  maxWrongAnswers: number;
  /** Answers of any kind after which a flow fails. */
  maxAnswers: number;
  /** Maximum open flows of one login session in one workspace; a further one replaces the oldest. */
  maxOpenFlows: number;
}

/** The limits in production; tests may set others. */
export const DEFAULT_CONNECT_LIMITS: ConnectLimits = {
  lifeMs: 600_000,
  stepMs: 20_000,
  claimMs: 40_000,
  sweepMs: 15_000,
  maxWrongAnswers: 5,
  maxAnswers: 50,
  maxOpenFlows: 5,
};
