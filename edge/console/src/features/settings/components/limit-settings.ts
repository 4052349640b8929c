/** Settings that limit the gateway, with the names of their texts. A test checks them against `docs/limits.md` and `docs/operations.md`. */
export const LIMIT_SETTINGS = [
  { setting: 'PARLEY_THROTTLE_RATE_LIMIT', name: 'throttle' },
  { setting: 'PARLEY_THROTTLE_UPLOAD_RATE_LIMIT', name: 'uploads' },
  { setting: 'PARLEY_THROTTLE_TTS_RATE_LIMIT', name: 'speech' },
  { setting: 'PARLEY_WORKSPACE_CONCURRENCY', name: 'concurrency' },
  { setting: 'PARLEY_MAX_CHAT_BODY', name: 'chatBody' },
  { setting: 'PARLEY_REQUEST_TIMEOUT', name: 'requestTime' },
  { setting: 'PARLEY_CONNECTION_CONCURRENCY', name: 'connection' },
  { setting: 'PARLEY_CONNECTION_QUEUE_MS', name: 'queue' },
  { setting: 'PARLEY_BUSY_MS', name: 'busy' },
  { setting: 'PARLEY_TURN_MS', name: 'turn' },
  { setting: 'PARLEY_ASSET_MAX_BYTES', name: 'asset' },
  { setting: 'PARLEY_AUDIO_DAILY_CHARACTERS', name: 'characters' },
  { setting: 'PARLEY_AUDIO_WORKSPACE_CONCURRENCY', name: 'speechJobs' },
  { setting: 'PARLEY_ACTIONS_WORKSPACE_CONCURRENCY', name: 'runs' },
] as const;
