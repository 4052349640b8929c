/** The configuration cannot be used; the message is one line for a person and holds no value that was read. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
