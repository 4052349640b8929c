import { type Call, onBehalfOf } from '@parley/kit/rpc/call';
import type { Abilities } from '@parley/protos/audio/v1/audio';
import { isServing } from '../domain/is-serving.ts';
import { type Engines, OPENAI_TRANSCRIPTION } from '../transcription/choose-engine.ts';

/** What of transcription works for the caller's workspace now. Asks without acquiring, so that no probe is used up. */
export async function transcriptionAbilities(
  { routing, pocketsphinx }: Engines,
  call: Call,
): Promise<Pick<Abilities, 'transcription' | 'transcriptionProvider' | 'transcriptionReason'>> {
  const filter = { provider: OPENAI_TRANSCRIPTION, status: '', limit: 100, offset: 0 };
  const { connections } = await routing.listConnections(filter, onBehalfOf(call));
  const isConnected = connections.some(isServing);
  if (isConnected) return { transcription: true, transcriptionProvider: OPENAI_TRANSCRIPTION, transcriptionReason: '' };
  if (await pocketsphinx.find()) return { transcription: true, transcriptionProvider: pocketsphinx.name, transcriptionReason: '' };
  const transcriptionReason = connections.length > 0 ? 'account_disabled' : 'engine_missing';
  return { transcription: false, transcriptionProvider: '', transcriptionReason };
}
