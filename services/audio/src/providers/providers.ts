import type { Caller } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type SpeechVoice, findVoice } from '../domain/voice.ts';
import type { SpeechProvider } from './provider.ts';

/** A provider, and a voice of its own. */
export interface Choice {
  provider: SpeechProvider;
  voice: SpeechVoice;
}

/** The speech providers of this process, the best first. */
export class Providers {
  readonly all: readonly SpeechProvider[];

  constructor(all: readonly SpeechProvider[]) {
    this.all = all;
  }

  /** @throws AUDIO_PROVIDER_NOT_FOUND */
  named(name: string): SpeechProvider {
    const provider = this.all.find((one) => one.name === name);
    if (!provider) throw new GatewayError('AUDIO_PROVIDER_NOT_FOUND', 'there is no such speech provider', { param: 'provider' });
    return provider;
  }

  /** The one that is used when nobody names one: the first that the workspace can use now. */
  async defaultOf(caller: Caller, signal: AbortSignal): Promise<SpeechProvider | undefined> {
    for (const provider of this.all) if ((await provider.unavailable(caller, signal)) === undefined) return provider;
    return undefined;
  }

  /**
   * Who speaks with this voice: the provider that is named, else the first usable one that has it.
   * @throws AUDIO_PROVIDER_NOT_FOUND, VOICE_NOT_FOUND
   */
  async choose({ provider: name, voice }: { provider: string; voice: string }, caller: Caller, signal: AbortSignal): Promise<Choice> {
    const candidates = name === '' ? this.all : [this.named(name)];
    for (const provider of candidates) {
      if (name === '' && (await provider.unavailable(caller, signal)) !== undefined) continue;
      const found = findVoice(await provider.voices(caller, signal), voice);
      if (found) return { provider, voice: found };
    }
    throw new GatewayError('VOICE_NOT_FOUND', 'no speech provider that can be used has this voice', { param: 'voice' });
  }
}
