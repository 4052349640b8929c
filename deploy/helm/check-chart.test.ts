import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type Chart, type ChartValues, renderChart } from './chart.ts';
import { checkChart, checkManifests, mergeValues, CHART_VALUE_SETS } from './check-chart.ts';
import { CHART_FOLDER, openChart } from './testing/the-chart.ts';
import { REQUIRED_VALUES } from './values-matrix.ts';

let chart: Chart;
beforeAll(async () => void (chart = await openChart()));

function pick(...names: string[]): Record<string, ChartValues> {
  return Object.fromEntries(names.map((name) => [name, CHART_VALUE_SETS[name] ?? {}]));
}

describe('the chart', () => {
  // `npm run lint:helm` goes through the whole matrix.
  it('gives objects that the API accepts', async () => {
    const example = parse(await readFile(`${CHART_FOLDER}/examples/values.yaml`, 'utf8')) as ChartValues;
    const report = await checkChart(chart, {
      example: example,
      ...pick('the defaults', 'settings and places of its own', 'everything at once'),
    });
    expect(report.problems).toEqual([]);
    expect(report.objects).toBeGreaterThan(150);
  });

  it.each([
    ['no secret of the database', { database: { existingSecret: '' } }, 'database.existingSecret names the secret'],
    ['no secret of the gateway', { secrets: { existingSecret: '' } }, 'secrets.existingSecret names the secret'],
    ['no broker', { nats: { url: '' } }, 'nats.url or nats.existingSecret says where NATS is'],
    ['no bucket', { blobs: { s3: { bucket: '' } } }, 'blobs.s3.bucket names the bucket'],
    ['no claim', { blobs: { store: 'volume' } }, 'blobs.volume.existingClaim names the claim'],
    ['no Redis', { throttle: { store: 'redis' } }, 'throttle.redis.existingSecret names the secret'],
    ['no host', { ingress: { enabled: true } }, 'ingress.host is the name'],
    ['a value that does not exist', { componets: {} }, 'componets'],
    ['a component that does not exist', { components: { chat: {} } }, 'chat'],
    ['a misspelt setting of a component', { components: { edge: { replica: 3 } } }, 'replica'],
    ['keys in the values', { env: { PARLEY_SECRET_KEYS: 'k1:AAAA' } }, 'PARLEY_SECRET_KEYS'],
    ['a password in the values', { components: { edge: { env: { PARLEY_INIT_ADMIN_PASSWORD: 'x' } } } }, 'PARLEY_INIT_ADMIN_PASSWORD'],
    ['a secret of a login in the values', { env: { PARLEY_OIDC_OKTA_CLIENT_SECRET: 'x' } }, 'PARLEY_OIDC_OKTA_CLIENT_SECRET'],
    ['a password in the address of NATS', { nats: { url: 'nats://me:geheim@nats:4222' } }, '/nats/url'],
  ])('refuses %s', async (_what, values, message) => {
    await expect(renderChart(chart, mergeValues(REQUIRED_VALUES, values))).rejects.toThrow(message);
  });
});

describe('the check of objects', () => {
  const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', labels: { any: 'thing' } }, spec });

  it('accepts what is right', () => {
    expect(checkManifests([service({ ports: [{ name: 'http', port: 80, targetPort: 'http' }], selector: { a: 'b' } })])).toEqual([]);
  });

  it.each([
    ['a broken rule', service({ ports: [{ port: '80' }] }), /port/],
    ['a missing field', service({ ports: [{ name: 'http' }] }), /port/],
    ['an unknown field', service({ port: [{ port: 80 }] }), /^Service a: \/spec\/port is not a field of Service$/],
    ['an unknown field in a list', service({ ports: [{ port: 80, tagetPort: 8080 }] }), /\/spec\/ports\/0\/tagetPort is not a field/],
    ['an unknown kind', { ...service({}), apiVersion: 'v2' }, /no schema of v2\/Service/],
  ])('reports %s', (_what, manifest, message) => {
    expect(checkManifests([manifest])).toContainEqual(expect.stringMatching(message));
  });

  it('reports what is there twice', () => {
    expect(checkManifests([service({}), service({})])).toContain('Service a is there twice');
  });
});
