/** The configuration is invalid; the message is one line and holds no configured value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
