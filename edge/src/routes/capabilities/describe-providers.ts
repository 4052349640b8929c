import { type Abilities } from '@parley/protos/audio/v1/audio';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { isUsableConnectionStatus } from './usable-connection-status.ts';

type Providers = Record<string, { connected: boolean; supports: string[] }>;

/** Returns the providers of the workspace's connections, and those that provide speech and transcription, by name. */
export function describeProviders(connections: readonly Connection[], abilities: Abilities | undefined): Providers {
  const providers: Providers = {};
  for (const { provider, status, supports } of connections) {
    const known = (providers[provider] ??= { connected: false, supports: [] });
    known.connected ||= isUsableConnectionStatus(status);
    known.supports = [...new Set([...known.supports, ...supports])].sort();
  }
  for (const [provider, ability] of audioProviders(abilities)) {
    const known = (providers[provider] ??= { connected: true, supports: [] });
    known.connected = true;
    known.supports = [...new Set([...known.supports, ability])].sort();
  }
  return providers;
}

/** The gateway's built-in engines are usable without a connection. */
function audioProviders(abilities: Abilities | undefined): [string, string][] {
  const { speech = false, speechProvider = '', transcription = false, transcriptionProvider = '' } = abilities ?? {};
  const speaking: [string, string][] = speech && speechProvider !== '' ? [[speechProvider, 'speech']] : [];
  const listening: [string, string][] = transcription && transcriptionProvider !== '' ? [[transcriptionProvider, 'transcription']] : [];
  return [...speaking, ...listening];
}
