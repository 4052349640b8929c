import { type Call } from '@parley/kit/rpc/call';
import { type Abilities } from '@parley/protos/audio/v1/audio';
import { isConnected } from '../domain/is-connected.ts';
import { listConnections, type EngineSources, OPENAI_TRANSCRIPTION } from '../transcription/choose-engine.ts';

/** Returns whether transcription is available to the caller's workspace now, by which provider, or why not. */
export async function transcriptionAbilities(
  engines: EngineSources,
  call: Call,
): Promise<Pick<Abilities, 'transcription' | 'transcriptionProvider' | 'transcriptionReason'>> {
  const { pocketsphinx } = engines;
  const connections = await listConnections(engines, call);
  const connected = connections.some(isConnected);
  if (connected) return { transcription: true, transcriptionProvider: OPENAI_TRANSCRIPTION, transcriptionReason: '' };
  if (await pocketsphinx.find()) return { transcription: true, transcriptionProvider: pocketsphinx.name, transcriptionReason: '' };
  const transcriptionReason = connections.length > 0 ? 'account_disabled' : 'engine_missing';
  return { transcription: false, transcriptionProvider: '', transcriptionReason };
}
