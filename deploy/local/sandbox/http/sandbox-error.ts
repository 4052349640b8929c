/** An error for the client: thrown by handlers, formatted by the listener for the API that was called. */
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
