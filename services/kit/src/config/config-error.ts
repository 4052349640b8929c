/** The configuration is invalid. The message is one line and contains no configured value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
