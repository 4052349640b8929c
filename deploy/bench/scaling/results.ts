import { type RunFacts } from '../results.ts';
import { type Verification } from '../targets/target.ts';
import { type ScalingOptions } from './options.ts';

/** One window with so many replicas of edge and of chat-routing. */
export interface ScalingWindow {
  replicas: number;
  round: number;
  /** Complete, checked answers of all edges together. */
  perSecond: number;
  /** What was used of the shares of all edges, and of all chat-routings: 1 is all of it. */
  edgeUsed: number;
  routingUsed: number;
  /** Cores that everything else used: the other services, PostgreSQL and NATS. */
  otherCores: number;
  /** What was no complete, correct answer: reason → count. */
  failures: Record<string, number>;
}

/** What a run of the bench found about replicas. */
export interface ScalingResults extends RunFacts {
  options: ScalingOptions;
  windows: ScalingWindow[];
  /** What the database grew by with each turn, outboxes and indexes included. */
  databaseBytesPerTurn: number;
  verification: Verification;
}
