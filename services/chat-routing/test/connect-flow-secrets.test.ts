import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { newCaller, openFixture, type Running, type TestFixture } from './fixture.ts';
import { newAccount, openSignInStage, otherCode, PASSWORD, Person, type SignInStage } from './sign-in-stage.ts';

const KEY = 'typed-by-a-person-0815';

/** What was typed, in whatever form it would turn up. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
}

describe('what a person types while connecting', () => {
  let fixture: TestFixture;
  let stage: SignInStage;
  let running: Running;
  let log = '';
  const said: unknown[] = [];
  beforeAll(async () => {
    fixture = await openFixture();
    stage = await openSignInStage();
    const destination = { write: (line: string) => void (log += line) };
    running = await fixture.start({ sandboxUrl: stage.url }, { log: createLogger({ service: 'test', level: 'trace', destination }) });
  });
  afterAll(async () => {
    await fixture.close();
    await stage.close();
  });
  const dump = async () => {
    const tables = await fixture.sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'routing'`,
    );
    const rows: unknown[] = [];
    for (const { name } of tables.rows) rows.push((await fixture.sql.query(`SELECT t::text AS row FROM "${name}" t`)).rows);
    return JSON.stringify(rows);
  };
  const hear = async (heard: Promise<unknown>) => said.push(await heard);

  it('is in no row, log, error or answer, whatever the upstream says', async () => {
    const person = new Person(running, newCaller());
    const account = await stage.account();
    const mine = newAccount(stage, account);
    const typed = [PASSWORD, 'wrong-password-of-mine', KEY];
    const dumps: string[] = [];
    const look = async () => void dumps.push(await dump(), JSON.stringify(await person.look()));

    await person.begin();
    await hear(person.refusal({ account, password: 'wrong-password-of-mine' }));
    await look();
    await hear(person.answer({ account, password: PASSWORD }));
    await look();
    const code = await mine.code();
    typed.push(code, otherCode(code));
    await hear(person.refusal({ code: otherCode(code) }));
    await hear(person.answer({ code }));
    await look();
    await hear(person.answer({ factor: 'app' }));
    stage.proxy.cut();
    await hear(person.refusal({ code: await mine.app() }));
    stage.proxy.resume();
    const app = await mine.app();
    typed.push(app);
    await hear(person.answer({ code: app }));
    await look();

    // An upstream that repeats what it was sent, in whatever it answers with; of one of these headers nothing else knows that it is secret.
    for (const provider of ['openai-compatible', 'elevenlabs'])
      for (const status of [400, 401, 403, 404, 422, 429, 500, 200]) {
        fixture.upstream.script = ({ res, headers }) => {
          const message = `you sent ${String(headers.authorization)} and ${String(headers['xi-api-key'])}, that is ${KEY}`;
          res
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error: { code: KEY, message }, detail: message }));
        };
        await person.begin({ provider });
        await hear(person.refusal({ base_url: `${fixture.upstream.url}/v1`, api_key: KEY }));
        await look();
      }
    await person.begin();
    await hear(person.refusal({ account: KEY, password: KEY, [KEY.slice(0, 3)]: KEY }));

    const everything = [log, ...dumps, JSON.stringify(said, errorsToo)].join('\n');
    for (const secret of typed) for (const form of formsOf(secret)) expect(everything).not.toMatch(asWord(form));
    expect(log).toContain('connect flow done');
    expect(log).toContain('an answer of a connect flow was refused');
  });

  it('is worth nothing under another flow, nor with another key', async () => {
    const [one, two] = [new Person(running, newCaller()), new Person(running, newCaller())];
    const account = await stage.account();
    for (const person of [one, two]) await person.begin();
    await one.answer({ account, password: PASSWORD });
    await fixture.sql.query('UPDATE connect_flows SET state = (SELECT state FROM connect_flows WHERE id = $1) WHERE id = $2', [
      one.id,
      two.id,
    ]);
    await expect(two.look()).rejects.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
    await expect(two.refusal({ code: '000000' })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
  });

  it('belongs to a session whose id is not stored', async () => {
    const person = new Person(running, newCaller(), 'session-cookie-of-a-user');
    await person.begin();
    const rows = await dump();
    for (const form of formsOf('session-cookie-of-a-user')) expect(rows).not.toContain(form);
    expect(log).not.toContain('session-cookie-of-a-user');
  });
});

/** Six digits may also be a part of a time or an id. */
function asWord(text: string): RegExp {
  return new RegExp(`(?<![\\w.-])${text.replaceAll(/[^\w]/g, '\\$&')}(?![\\w.-])`);
}

/** Of an error everything, also what JSON leaves out. */
function errorsToo(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { message, stack, cause } = value;
  return { ...value, message, stack, cause };
}
