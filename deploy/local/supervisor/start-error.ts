/** The start cannot succeed; the message is one line for the user at the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
