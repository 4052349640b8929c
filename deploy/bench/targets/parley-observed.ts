import { startParley } from './parley.ts';
import { type Target } from './target.ts';

/** One process without metrics and traces: what `parley-single`, which has metrics, is compared with. */
export const parleyUnobserved: Target = {
  name: 'parley-unobserved',
  start: (site) => startParley(site, 'single', { PARLEY_METRICS_LISTEN: 'off' }),
};

/** One process with metrics, and with traces of one request in a hundred, which the mock receives. */
export const parleyTraced: Target = {
  name: 'parley-traced',
  start: (site) => startParley(site, 'single', { OTEL_EXPORTER_OTLP_ENDPOINT: site.upstreamUrl, OTEL_TRACES_SAMPLER_ARG: '0.01' }),
};
