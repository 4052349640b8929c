import { Command } from 'commander';
import { type CliContext } from '../cli-context.ts';
import { CliError } from '../cli-error.ts';
import { type GatewayClient } from '../gateway/client.ts';
import { requestTurnsSchema, type Turn } from '../gateway/response-schemas.ts';
import { formatFacts } from '../output/format-table.ts';
import { formatTimeline } from '../output/format-timeline.ts';

/** `parley trace`: the time line of a request, from what is recorded of its turns. */
export function traceCommand(context: CliContext): Command {
  return new Command('trace')
    .description('Show what happened to a request: its turns with their attempts and times')
    .argument('<id>', 'id of a request (X-Request-Id, or error.request_id) or of a turn')
    .action(async (id: string) => {
      const story = await getStory(await context.gateway(), id);
      context.print(story, () => story.turns.map(show).join('\n\n'));
    });
}

async function getStory(gateway: GatewayClient, id: string) {
  try {
    return await gateway.call('GET', `/admin/v1/requests/${encodeURIComponent(id)}`, requestTurnsSchema);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'REQUEST_NOT_FOUND') throw error;
    const reasons =
      'the id is not one of this gateway, the request was rejected before its turn began (see the log of the edge), or it was no chat request';
    throw new CliError(`no turn is recorded for ${JSON.stringify(id)}: ${reasons}. Recent turns: parley turns`, {
      code: error.code,
      cause: error,
    });
  }
}

function show(turn: Turn): string {
  const { error, connection } = turn;
  const failures = turn.attempts.filter(({ upstream_message }) => upstream_message !== null);
  return [
    formatFacts([
      ['Request', turn.request_id],
      ['Turn', turn.turn_id],
      ['Conversation', turn.conversation_id],
      ['Workspace', turn.workspace_id],
      ['Key', turn.key_id],
      ['Connection', `${connection.label ?? connection.id} (${turn.model})`],
      ['Status', error ? `${turn.status}: ${error.code}, ${error.message}` : turn.status],
      ['Tokens', `${turn.tokens_in} in, ${turn.tokens_out} out`],
      ['Started', turn.started_at],
      ...failures.map((one) => ['Upstream', `${one.connection.label ?? one.connection.id}: ${one.upstream_message}`] as const),
    ]),
    formatTimeline(turn),
  ].join('\n\n');
}
