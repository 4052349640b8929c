import { expect } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { openAiCompatible } from '../src/providers/openai-compatible/provider.ts';
import { type ChatProvider } from '../src/providers/provider.ts';
import { RecordingSink, upstreamTurn } from '../src/providers/testing/sink.ts';
import { type ResponseScript, type TestUpstream } from '../src/providers/testing/upstream.ts';
import { type UpstreamTurn } from '../src/providers/upstream-turn.ts';
import { beforeEachOnStage } from './provider-stage.ts';

const bounds = { count: async (text: string) => text.length, budget: 1_000 };
const EMULATION = { project: bounds, files: bounds, extractor: { extract: async () => ({ text: '', omitted: '' }) } };

/** An event with a piece of text. */
export const chunk = (content: string, rest: object = {}) => `data: ${JSON.stringify({ choices: [{ delta: { content }, ...rest }] })}\n\n`;
/** The event that gives a reason to end. */
export const STOP = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`;
/** The event behind the last one. */
export const DONE = 'data: [DONE]\n\n';

/** The openai-compatible adapter, and an upstream that answers by script. */
export class CompatibleStage {
  readonly upstream: TestUpstream;
  readonly provider: ChatProvider;

  constructor(upstream: TestUpstream, provider: ChatProvider) {
    this.upstream = upstream;
    this.provider = provider;
  }

  start(script: ResponseScript, over: Partial<UpstreamTurn> = {}) {
    this.upstream.script = script;
    const sink = new RecordingSink();
    const hold = this.provider.chat(upstreamTurn(`${this.upstream.url}/v1`, over), sink);
    return { sink, hold };
  }

  /** Runs a turn to its end and checks that it ends once. */
  async run(script: ResponseScript, over: Partial<UpstreamTurn> = {}): Promise<RecordingSink> {
    const { sink } = this.start(script, over);
    await waitFor(() => sink.outcomes.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.outcomes).toHaveLength(1);
    return sink;
  }
}

/** Gives a new stage before each test, and closes it after it. */
export function beforeEachOnCompatibleStage(enter: (stage: CompatibleStage) => void): void {
  beforeEachOnStage(({ upstream, pools }) => enter(new CompatibleStage(upstream, openAiCompatible(pools, EMULATION))));
}
