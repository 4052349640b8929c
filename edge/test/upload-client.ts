import { Agent, type ClientRequest, request } from 'node:http';
import { BOUNDARY } from './forms.ts';
import { API_KEY, bearer, type ErrorBody } from './harness.ts';

/** What a form was answered with. */
export interface FormAnswer<T = ErrorBody> {
  status: number;
  body: T;
}

/** A client on one connection of its own, which unlike fetch reads an answer that comes before it has sent everything. */
export class UploadClient {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a whole form; without `content-length` in the headers it is announced. */
  post<T = ErrorBody>(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<FormAnswer<T>> {
    const { sent, answer } = this.begin<T>(path, headers);
    sent.end(body);
    return answer;
  }

  /** Begins a form; the test sends the rest, or does not. */
  begin<T = ErrorBody>(path: string, headers: Record<string, string> = {}): { sent: ClientRequest; answer: Promise<FormAnswer<T>> } {
    const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const sent = request(`${this.#url}${path}`, {
      method: 'POST',
      agent: this.#agent,
      headers: { ...type, ...bearer(API_KEY), ...headers },
    });
    const answer = new Promise<FormAnswer<T>>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as T }));
      });
    });
    answer.catch(() => undefined);
    return { sent, answer };
  }

  close(): void {
    this.#agent.destroy();
  }
}
