/** A start that cannot succeed as things are: its message is one clear line for the person at the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
