import { type ChartValues } from './chart.ts';

/** Values that every installation must set. */
export const REQUIRED_VALUES: ChartValues = {
  database: { existingSecret: 'database' },
  nats: { url: 'nats://nats:4222' },
  secrets: { existingSecret: 'parley' },
  blobs: { s3: { bucket: 'files' } },
};

const scaled = (kind: string) => ({ defaults: { autoscaling: { kind } } });
const monitoring = { monitoring: { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true }, dashboards: { enabled: true } } };
const parentRefs = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];

/** Values that switch on what is off by default, one after the other and together. */
export const VALUES_MATRIX: Readonly<Record<string, ChartValues>> = {
  'the defaults': {},
  'one of each': { defaults: { replicas: 1 } },
  'horizontal pod autoscalers': scaled('hpa'),
  KEDA: scaled('keda'),
  'KEDA without turns': { components: { edge: { autoscaling: { kind: 'keda', inFlight: 0 } } } },
  'everything that is watched': monitoring,
  'an ingress of nginx': { ingress: { enabled: true, host: 'chat.example.com', className: 'nginx', tlsSecret: 'tls' } },
  'another ingress': { ingress: { enabled: true, host: 'chat.example.com', controller: 'none', annotations: { a: 'b' } } },
  'the Gateway API': { gateway: { enabled: true, parentRefs, hostnames: ['chat.example.com'] } },
  'a volume for files': { blobs: { store: 'volume', volume: { existingClaim: 'files' } } },
  'another S3 server': {
    blobs: { s3: { bucket: 'b', region: 'eu', endpoint: 'https://minio.example.com:9000', pathStyle: false, existingSecret: 's3' } },
  },
  'no network policies': { networkPolicy: { enabled: false } },
  'narrow network policies': {
    networkPolicy: {
      edgeFrom: [{ podSelector: { matchLabels: { a: 'b' } } }],
      database: { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], port: 6432 },
      upstreams: [],
    },
  },
  'processes that migrate themselves': { migrations: { enabled: false } },
  'a Redis for throttling': { throttle: { store: 'redis', redis: { existingSecret: 'redis' } } },
  'throttling in memory': { throttle: { store: 'memory' } },
  'NATS with credentials': { nats: { url: '', existingSecret: 'nats' } },
  traces: { traces: { endpoint: 'http://otel-collector:4318', sampleRatio: 0.5 } },
  'no time to leave': { drain: { preStopSeconds: 0, lameDuckSeconds: 0, turnSeconds: 30 } },
  'settings and places of its own': {
    fullnameOverride: 'gateway',
    commonLabels: { team: 'platform' },
    image: { repository: 'registry.example.com/parley', digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'pull' }] },
    publicUrl: 'https://chat.example.com',
    trustedProxies: '10.0.0.0/8',
    env: { PARLEY_TURN_MS: '15m' },
    envFrom: [{ secretRef: { name: 'oidc' } }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/parley-ca', readOnly: true }],
    components: {
      actions: { env: { PARLEY_ACTIONS_ALLOWED_HOSTS: 'api.example.com', PARLEY_ACTIONS_WORKERS: 8 } },
      edge: {
        podAnnotations: { note: 'edge' },
        podLabels: { tier: 'public' },
        nodeSelector: { pool: 'front' },
        tolerations: [{ key: 'front', operator: 'Exists', effect: 'NoSchedule' }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'Exists' }] }],
            },
          },
        },
        priorityClassName: 'high',
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { tier: 'public' } } },
        ],
      },
      asset: { serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/parley' } },
    },
  },
  'everything at once': {
    ...scaled('keda'),
    ...monitoring,
    ingress: { enabled: true, host: 'chat.example.com' },
    gateway: { enabled: true, parentRefs },
    throttle: { store: 'redis', redis: { existingSecret: 'redis' } },
    traces: { endpoint: 'http://otel-collector:4318' },
  },
};
