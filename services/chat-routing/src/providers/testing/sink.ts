import { type GatewayError } from '@parley/protos/errors';
import { type TurnSink, type UpstreamArtifact, type UpstreamOutcome, type UpstreamTurn } from '../upstream-turn.ts';

/** A sink that keeps what an adapter sends. */
export class RecordingSink implements TurnSink {
  text = '';
  /** Calls of `deltas`. */
  batches = 0;
  acceptances = 0;
  outcomes: (UpstreamOutcome | { error: GatewayError; upstreamState?: string })[] = [];

  accepted(): void {
    this.acceptances++;
  }

  deltas(texts: string[]): void {
    this.batches++;
    this.text += texts.join('');
  }

  thoughts = '';

  reasoning(texts: string[]): void {
    this.thoughts += texts.join('');
  }

  readonly artifacts: UpstreamArtifact[] = [];

  artifact(artifact: UpstreamArtifact): void {
    this.artifacts.push(artifact);
  }

  finished(outcome: UpstreamOutcome): void {
    this.outcomes.push(outcome);
  }

  failed(error: GatewayError, upstreamState?: string): void {
    this.outcomes.push({ error, upstreamState });
  }
}

/** Builds a turn for tests; `over` replaces single fields. */
export function upstreamTurn(baseUrl: string, over: Partial<UpstreamTurn> = {}): UpstreamTurn {
  return {
    turnId: 'turn-1',
    repeats: false,
    connection: { id: 'account', baseUrl, account: 'someone', secret: 'sk-1' },
    model: 'm1',
    messages: [{ role: 'user', text: 'Hello', parts: [] }],
    stream: true,
    upstreamState: '',
    history: () => [],
    files: [],
    earlierFiles: async () => new Map(),
    project: undefined,
    deadlines: { acceptanceMs: 60_000, silenceMs: 60_000 },
    parameters: {},
    traceparent: '',
    ...over,
  };
}
