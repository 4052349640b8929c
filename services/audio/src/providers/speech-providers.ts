import { type Caller } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type SpeechVoice, findVoice } from '../domain/voice.ts';
import { listProviderStatuses, type ProviderStatus } from './provider-status.ts';
import { type ChatRoutingClient } from './speech-connection.ts';
import { type SpeechProvider } from './speech-provider.ts';

/** A provider and one of its voices. */
export interface VoiceChoice {
  provider: SpeechProvider;
  voice: SpeechVoice;
}

/** The speech providers of this process, in order of preference. */
export class SpeechProviders {
  readonly all: readonly SpeechProvider[];
  readonly #routing: ChatRoutingClient;

  constructor(all: readonly SpeechProvider[], routing: ChatRoutingClient) {
    this.all = all;
    this.#routing = routing;
  }

  /** Returns the provider with this name. @throws AUDIO_PROVIDER_NOT_FOUND */
  getProvider(name: string): SpeechProvider {
    return known(this.all.find((one) => one.name === name));
  }

  /** Returns the availability of every provider to the caller's workspace, in its order of preference. */
  listStatuses(caller: Caller, signal: AbortSignal): Promise<readonly ProviderStatus[]> {
    return listProviderStatuses(this.all, this.#routing, caller, signal);
  }

  /** Returns the availability of one provider to the caller's workspace. @throws AUDIO_PROVIDER_NOT_FOUND */
  async getStatus(name: string, caller: Caller, signal: AbortSignal): Promise<ProviderStatus> {
    return known((await this.listStatuses(caller, signal)).find(({ provider }) => provider.name === name));
  }

  /**
   * Chooses the provider for a voice: the named one, else the first usable one that has the voice. Skips a provider that cannot list its
   * voices now, but only for another with a voice of exactly that id: OpenAI's names, which every provider has, are left to it.
   * @throws AUDIO_PROVIDER_NOT_FOUND, VOICE_NOT_FOUND; the error of a provider that could not list its voices
   */
  async chooseVoice(
    { provider: name, voice }: { provider: string; voice: string },
    caller: Caller,
    signal: AbortSignal,
  ): Promise<VoiceChoice> {
    let failure: GatewayError | undefined;
    for (const provider of name === '' ? await this.#usable(caller, signal) : [this.getProvider(name)]) {
      const voices = await provider.voices(caller, signal).catch((error: unknown) => {
        failure ??= toGatewayError(error);
        return [];
      });
      const found = findVoice(voices, voice);
      if (!found) continue;
      if (failure && found.id.toLowerCase() !== voice.toLowerCase()) break;
      return { provider, voice: found };
    }
    throw failure ?? new GatewayError('VOICE_NOT_FOUND', 'no speech provider that can be used has this voice', { param: 'voice' });
  }

  async #usable(caller: Caller, signal: AbortSignal): Promise<SpeechProvider[]> {
    return (await this.listStatuses(caller, signal)).flatMap(({ provider, reason }) => (reason === undefined ? [provider] : []));
  }
}

function known<T>(found: T | undefined): T {
  if (!found) throw new GatewayError('AUDIO_PROVIDER_NOT_FOUND', 'there is no such speech provider', { param: 'provider' });
  return found;
}
