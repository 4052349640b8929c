import { expect } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type GatewayError } from '@parley/protos/errors';
import { aiSdk } from '../src/providers/ai-sdk/provider.ts';
import { type SdkProvider } from '../src/providers/ai-sdk/sdk-provider.ts';
import { type HttpPools } from '../src/providers/http-pools.ts';
import { type ChatProvider } from '../src/providers/provider.ts';
import { RecordingSink, upstreamTurn } from '../src/providers/testing/sink.ts';
import { type ResponseScript, type TestUpstream } from '../src/providers/testing/upstream.ts';
import { type UpstreamTurn } from '../src/providers/upstream-turn.ts';
import { beforeEachOnStage } from './provider-stage.ts';

const bounds = { count: async (text: string) => text.length, budget: 1_000 };
const extract = async (bytes: Buffer) => ({ text: `text of ${bytes.toString()}`, omitted: '' });

/** An event as most providers stream it: data alone. */
export const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
/** An event with its type beside its data, as Anthropic and Cohere stream it. */
export const typed = (event: { type: string; [field: string]: unknown }) => `event: ${event.type}\n${data(event)}`;
/** Refuses with a body in JSON. */
export const refusing =
  (status: number, body: object, headers: Record<string, string> = {}): ResponseScript =>
  ({ res }) =>
    void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A provider over the AI SDK, and an upstream that answers by script. */
export class SdkStage {
  readonly upstream: TestUpstream;
  readonly provider: ChatProvider;
  /** Account name, path of the base URL and secret of its turns. */
  account = { account: 'someone', path: '/v1', secret: 'sk-1' };

  constructor(upstream: TestUpstream, provider: ChatProvider) {
    this.upstream = upstream;
    this.provider = provider;
  }

  get upstreamAccount() {
    const { path, ...account } = this.account;
    return { id: 'account', baseUrl: this.upstream.url + path, ...account };
  }

  start(script: ResponseScript, over: Partial<UpstreamTurn> = {}) {
    this.upstream.script = script;
    const sink = new RecordingSink();
    const hold = this.provider.chat(upstreamTurn('', { connection: this.upstreamAccount, ...over }), sink);
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

  /** The error that a turn ends with. */
  async failed(script: ResponseScript, over: Partial<UpstreamTurn> = {}): Promise<GatewayError | undefined> {
    const [outcome] = (await this.run(script, over)).outcomes;
    return outcome && 'error' in outcome ? outcome.error : undefined;
  }
}

/** Gives a new stage with one of the providers before each test, and closes it after it. */
export function beforeEachOnSdkStage(kind: (pools: HttpPools) => SdkProvider, enter: (stage: SdkStage) => void): void {
  beforeEachOnStage(({ upstream, pools }) => {
    const provider = aiSdk(pools, { project: bounds, files: bounds, extractor: { extract } }, kind(pools));
    enter(new SdkStage(upstream, provider));
  });
}
