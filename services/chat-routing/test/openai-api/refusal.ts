/** A refusal as the API writes it. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;

  constructor(status: number, code: string | null = null, param: string | null = null) {
    super('words of the upstream that must not be shown');
    this.status = status;
    this.code = code;
    this.param = param;
  }

  get body() {
    const { message, code, param } = this;
    return { error: { message, type: 'invalid_request_error', param, code } };
  }
}
