import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
// `npm run lint:deploy`: checks docker-compose.yml and the Dockerfile with their linters, and against the code they run. Needs a build; needs no Docker.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const COMPOSE = 'docker-compose.yml';
const DOCKERFILE = 'deploy/docker/Dockerfile';
const text = (path) => readFileSync(join(root, path), 'utf8');

/** Valid values for the variables that an operator has to set. */
const SAMPLES = {
  PARLEY_API_KEY: 'gmk_live_0123456789abcdefghij',
  PARLEY_OPERATOR_KEY: 'gmk_live_abcdefghij0123456789',
  PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  POSTGRES_PASSWORD: 'password',
};

const problems = [];
const complain = (file, message, line) => problems.push(`${file}${line ? `:${line}` : ''}: ${message}`);

function lintCompose() {
  const rules = {
    // Services stand in the order in which they start, and keys in the order in which one reads them.
    'services-alphabetical-order': 0,
    'service-keys-order': 0,
    'service-dependencies-alphabetical-order': 0,
    'top-level-properties-order': 0,
    // .env.example names the project: older versions of compose refuse the field.
    'require-project-name-field': 0,
    // It does not see through variables; checkServices looks at the interface instead.
    'no-unbound-port-interfaces': 0,
  };
  for (const { messages } of new DCLinter({ rules, quiet: false, debug: false, exclude: [] }).lintFiles([join(root, COMPOSE)], false)) {
    for (const { message, rule, line } of messages) complain(COMPOSE, `${message} (${rule})`, line);
  }
}

function lintDockerfile() {
  const source = text(DOCKERFILE);
  for (const { message, range } of validate(source)) complain(DOCKERFILE, message, range.start.line + 1);
  for (const folder of workspaces()) {
    if (!source.includes(`COPY ${folder}/package.json ${folder}/\n`))
      complain(DOCKERFILE, `does not copy ${folder}/package.json before npm ci`);
  }
  if (!/^USER [1-9]\d*:[1-9]\d*$/m.test(source)) complain(DOCKERFILE, 'USER must be the number of an account that is not root');
}

function workspaces() {
  return JSON.parse(text('package.json')).workspaces.flatMap((pattern) =>
    pattern.endsWith('/*') ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -2)}/${name}`) : [pattern],
  );
}

/** The compose file with its variables filled in, and their names. */
function readCompose() {
  const names = new Set();
  const fill = (_, name, operator, rest) => {
    names.add(name);
    return operator === ':-' ? rest : (SAMPLES[name] ?? '');
  };
  const revive = (_key, value) => (typeof value === 'string' ? value.replaceAll(/\$\{([A-Za-z_]\w*)(?:(:[-?])([^}]*))?\}/g, fill) : value);
  return { services: parse(text(COMPOSE), revive, { merge: true }).services, names };
}

/** Where a process has its configuration, by its command: `deploy/dist/bundle/edge.js` → `edge/src/config.ts`, and the compiled file. */
function configOf(service) {
  const name = basename(service.command[0], '.js');
  if (name === 'sandbox') return { compiled: 'deploy/dist/local/sandbox/config.js', source: 'deploy/local/sandbox/config.ts' };
  const folder = name === 'edge' ? name : `services/${name}`;
  return { compiled: `${folder}/dist/config.js`, source: `${folder}/src/config.ts` };
}

async function checkProcess(name, service) {
  const { compiled, source } = configOf(service);
  // A configuration may be put together from those of parts: files beside it, or in folders below, with names that end in `config`.
  const folder = dirname(source);
  const files = [
    source,
    ...readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /-config\.ts$/.test(file))
      .map((file) => join(folder, file)),
  ];
  // Every process reads these by itself, whatever its configuration.
  if (Object.hasOwn(service.environment, 'PARLEY_METRICS_LISTEN')) files.push('services/kit/src/telemetry/telemetry.ts');
  const known = new Set(files.flatMap((file) => text(file).match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?=:)/g) ?? []));
  for (const variable of Object.keys(service.environment)) {
    // The S3 client reads its own.
    const isOfStore = variable.startsWith('AWS_') && known.has('PARLEY_BLOB_STORE');
    if (!known.has(variable) && !isOfStore) complain(COMPOSE, `service ${name}: ${variable} is not read by ${source}`);
  }
  try {
    const module = await import(pathToFileURL(join(root, compiled)).href);
    const read = Object.entries(module).find(([exported]) => /^read\w*Config$/.test(exported))?.[1];
    return read(service.environment);
  } catch (error) {
    complain(
      COMPOSE,
      error.code === 'ERR_MODULE_NOT_FOUND' ? `${compiled} is missing: run npm run build first` : `service ${name}: ${error.message}`,
    );
  }
}

/** chat-routing logs in to the sandbox with these accounts, so the sandbox must have them. */
async function checkSandboxAccounts(config) {
  const { SANDBOX_ACCOUNTS } = await import(pathToFileURL(join(root, 'protos/dist/src/bootstrap.js')).href);
  for (const { account, label, password, tier } of SANDBOX_ACCOUNTS) {
    const isThere = config?.accounts?.some(
      (one) => one.id === account && one.label === label && one.password === password && one.tier === tier,
    );
    if (!isThere) complain(COMPOSE, `service sandbox: the account ${account} of protos/src/bootstrap.ts is missing or different`);
  }
}

async function checkServices({ services, names }) {
  const example = text('.env.example');
  for (const name of names)
    if (!new RegExp(`^${name}=`, 'm').test(example)) complain('.env.example', `${name} is missing, which ${COMPOSE} uses`);
  for (const [name, service] of Object.entries(services)) {
    if (service.ports && name !== 'edge' && name !== 'grafana')
      complain(COMPOSE, `service ${name}: only the edge may be reached from outside`);
    if (service.ports?.some((port) => !port.startsWith('127.0.0.1:')))
      complain(COMPOSE, `service ${name}: must listen on loopback unless configured otherwise`);
    if (!service.healthcheck && !service.build) complain(COMPOSE, `service ${name}: has no healthcheck`);
    for (const [path] of (service.volumes ?? []).filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')))
      if (!existsSync(join(root, path))) complain(COMPOSE, `service ${name}: ${path} does not exist`);
    if (!service.build) continue;
    const config = await checkProcess(name, service);
    if (name === 'sandbox') await checkSandboxAccounts(config);
  }
}

/** The Prometheus of the profile must know every process, at the port where it is scraped. */
function checkScrapes({ services }) {
  const file = 'deploy/observability/prometheus/prometheus.yml';
  const [targets] = parse(text(file)).scrape_configs.find(({ job_name }) => job_name === 'parley').dns_sd_configs;
  const scraped = Object.entries(services).filter(([, { environment }]) => environment?.PARLEY_METRICS_LISTEN);
  const names = scraped.map(([name]) => name).sort();
  if (String(names) !== String([...targets.names].sort())) complain(file, `must scrape ${names.join(', ')}`);
  for (const [name, { environment }] of scraped)
    if (!environment.PARLEY_METRICS_LISTEN.endsWith(`:${targets.port}`))
      complain(file, `scrapes ${name} at another port than it listens on`);
}

/** The real parser, where there is one. */
function askDocker() {
  const ways = [
    ['docker', ['compose']],
    ['docker-compose', []],
  ];
  const way = ways.find(([command, args]) => spawnSync(command, [...args, 'version']).status === 0);
  if (!way) return 'docker compose is not here: its own check is left out';
  const [command, args] = way;
  const { status, stderr } = spawnSync(command, [...args, '--file', COMPOSE, 'config', '--quiet'], {
    cwd: root,
    env: { ...process.env, ...SAMPLES },
    encoding: 'utf8',
  });
  if (status !== 0) complain(COMPOSE, stderr.trim().replaceAll(/\s*\n\s*/g, ' '));
  return `checked by ${[command, ...args].join(' ')} too`;
}

lintCompose();
lintDockerfile();
await checkServices(readCompose());
checkScrapes(readCompose());
const docker = askDocker();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? `lint:deploy: all is well (${docker})\n` : `lint:deploy: ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
