import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';

function capture() {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('createLogger', () => {
  it('writes one JSON line with service, level name and ISO time', () => {
    const { log, last } = capture();
    log.info({ jobId: 'j1', ms: 12 }, 'audio job completed');
    expect(last()).toMatchObject({ service: 'test', level: 'info', jobId: 'j1', ms: 12, msg: 'audio job completed' });
    expect(last().time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('hides secret fields wherever they are and leaves the caller’s object alone', () => {
    const { log, text } = capture();
    const headers = { authorization: 'Bearer hunter2', 'X-Api-Key': 'hunter2', accept: 'json' };
    log.info({ req: { headers }, token: 'hunter2', list: [{ password: 'hunter2' }], content: 'hunter2', tokens: 7 }, 'request');
    log.child({ apiKey: 'hunter2' }).info('child');
    expect(text()).not.toContain('hunter2');
    expect(text()).toContain('"accept":"json"');
    expect(text()).toContain('"tokens":7');
    expect(headers.authorization).toBe('Bearer hunter2');
  });

  it('prints of an error only what is safe: type, code, masked message, frames, causes', () => {
    const { log, text, last } = capture();
    const cause = Object.assign(new Error('connect postgres://user:pa@ss@db:5432/x failed'), {
      code: 'ECONNREFUSED',
      detail: 'row (hunter2)',
    });
    const err = Object.assign(new Error('key gmk_live_hunter2 and sk-proj-hunter2 with Bearer hunter2', { cause }), {
      request: { body: 'hunter2' },
    });
    log.error({ err }, 'failed');
    expect(text()).not.toMatch(/hunter2|pa@ss/);
    expect(last().err).toMatchObject({
      type: 'Error',
      message: 'key gmk_live_*** and sk-*** with Bearer ***',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { code: 'ECONNREFUSED', message: 'connect postgres://***@db:5432/x failed' },
    });
  });

  it('masks the message of an error that is logged alone or under another name', () => {
    const { log, text } = capture();
    const failure = new Error('refused sk-hunter2-key');
    log.error(failure);
    log.error({ err: failure });
    log.error({ reasons: [failure] }, 'several');
    expect(text()).not.toContain('hunter2');
    expect(text().match(/refused sk-\*\*\*/g)).toHaveLength(5);
  });

  it('cuts a message that may carry a body', () => {
    const { log, last } = capture();
    log.error({ err: new Error('x'.repeat(10_000)) }, 'failed');
    expect((last().err as { message: string }).message.length).toBeLessThan(600);
  });

  it('writes nothing at level silent', () => {
    const lines: string[] = [];
    createLogger({ service: 'test', level: 'silent', destination: { write: (line) => void lines.push(line) } }).error('no');
    expect(lines).toEqual([]);
  });
});
