/** An error for the client: thrown by handlers, rendered by the listener in the style of the API that was called. */
export class SandboxError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'SandboxError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
