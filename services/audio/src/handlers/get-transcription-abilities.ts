import { type Call } from '@parley/kit/rpc/call';
import { type Abilities } from '@parley/protos/audio/v1/audio';
import { isUsableConnection } from '../domain/is-usable-connection.ts';
import { listTranscriptionConnections, type EngineSources, OPENAI_TRANSCRIPTION_PROVIDER } from '../transcription/choose-engine.ts';

/** Returns whether transcription is available to the caller's workspace now, by which provider, or why not. */
export async function getTranscriptionAbilities(
  engines: EngineSources,
  call: Call,
): Promise<Pick<Abilities, 'transcription' | 'transcriptionProvider' | 'transcriptionReason'>> {
  const { pocketsphinx } = engines;
  const connections = await listTranscriptionConnections(engines, call);
  const connected = connections.some(isUsableConnection);
  if (connected) return { transcription: true, transcriptionProvider: OPENAI_TRANSCRIPTION_PROVIDER, transcriptionReason: '' };
  if (await pocketsphinx.findInstallation())
    return { transcription: true, transcriptionProvider: pocketsphinx.name, transcriptionReason: '' };
  const transcriptionReason = connections.length > 0 ? 'account_disabled' : 'engine_missing';
  return { transcription: false, transcriptionProvider: '', transcriptionReason };
}
