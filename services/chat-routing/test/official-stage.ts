import { afterEach, beforeEach } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { HttpPools } from '../src/providers/http-pools.ts';
import { openAiOfficial } from '../src/providers/openai/provider.ts';
import { type ChatProvider } from '../src/providers/provider.ts';
import { RecordingSink, upstreamTurn } from '../src/providers/testing/sink.ts';
import { type UpstreamConnection } from '../src/providers/upstream-connection.ts';
import { type UpstreamTurn } from '../src/providers/upstream-turn.ts';
import { OpenAiApi } from './openai-api/server.ts';

/** The official adapter and a local server that stands in for its API. */
export class OfficialStage {
  readonly api: OpenAiApi;
  readonly pools = new HttpPools(1_000);
  readonly provider: ChatProvider = openAiOfficial(this.pools);

  constructor(api: OpenAiApi) {
    this.api = api;
  }

  get connection(): UpstreamConnection {
    return { id: 'account', baseUrl: this.api.baseUrl, account: '', secret: this.api.key };
  }

  /** A turn with a model that takes tools. */
  start(say: string, over: Partial<UpstreamTurn> = {}) {
    const sink = new RecordingSink();
    const messages = [{ role: 'user', text: say, parts: [] }];
    const turn = upstreamTurn(this.api.baseUrl, { connection: this.connection, model: 'gpt-5', messages, ...over });
    return { sink, hold: this.provider.chat(turn, sink) };
  }

  /** Runs one to its end. */
  async run(say: string, over: Partial<UpstreamTurn> = {}): Promise<RecordingSink> {
    const { sink } = this.start(say, over);
    await waitFor(() => sink.outcomes.length > 0);
    return sink;
  }

  async close(): Promise<void> {
    await this.pools.close();
    await this.api.close();
  }
}

/** Where a turn has left its conversation. */
export function stateOf({ outcomes }: RecordingSink): string {
  return outcomes[0]?.upstreamState ?? '';
}

/** Gives a new stage before each test, and closes it after it. */
export function beforeEachOnOfficialStage(enter: (stage: OfficialStage) => void): void {
  let stage: OfficialStage | undefined;
  beforeEach(async () => {
    stage = new OfficialStage(await OpenAiApi.listen());
    enter(stage);
  });
  afterEach(() => stage?.close());
}
