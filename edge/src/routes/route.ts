import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type z } from 'zod';
import { type Principal } from '../middleware/principal.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type MetricAmounts, type QuotaReservation } from '../quota/quota-reservation.ts';
import { type RouteDeps } from './deps.ts';

type Shape = z.ZodObject;
type Of<S> = S extends z.ZodType ? z.output<S> : undefined;

/**
 * The input of a handler: authenticated and validated. `params`, `query` and `body` are undefined when the route has no schema for them.
 */
export interface Input<P = undefined, Q = undefined, B = undefined> {
  params: P;
  query: Q;
  body: B;
  /** Has no ids on a public route. */
  principal: Principal;
  /** The reserved quotas of the request; a handler that knows the actual amounts settles it. */
  reservation: QuotaReservation;
  req: IncomingMessage;
}

/** The JSON answer of a handler; `status` only when it differs from that of the route. */
export interface Reply<R> {
  body: R;
  status?: number;
  headers?: OutgoingHttpHeaders;
}

/** The result of a handler that has written the response itself, for example a file or a stream. */
export const RESPONSE_SENT = Symbol('answered');

/** Runs an operation; returns its answer, or `RESPONSE_SENT` when it has written the response. */
type Handle<I, R> = (
  input: I,
  deps: RouteDeps,
  res: ServerResponse,
) => Promise<Reply<R> | typeof RESPONSE_SENT> | Reply<R> | typeof RESPONSE_SENT;

type EstimateAmounts<I> = (input: I, deps: RouteDeps) => MetricAmounts | Promise<MetricAmounts>;

type ResolveWorkspace<I> = (input: I, deps: RouteDeps) => string | undefined | Promise<string | undefined>;

/** A route: its specification and its handler. */
export interface Route extends RouteSpec {
  /** Estimates the amounts that a request uses of its quotas; absent for an operation without quotas. */
  estimateAmounts?: EstimateAmounts<Input<never, never, never>>;
  /**
   * Returns the workspace in which the permission is required; undefined requires a role for the whole gateway.
   * @default the `workspace_id` of the request
   */
  resolveWorkspace?: ResolveWorkspace<Input<never, never, never>>;
  handle: Handle<Input<never, never, never>, unknown>;
}

type Row<P extends Shape | undefined, Q extends Shape | undefined, B extends z.ZodType | undefined, R extends z.ZodType | undefined> = Pick<
  RouteSpec,
  'method' | 'path' | 'operationId' | 'summary' | 'access'
> &
  Partial<Omit<RouteSpec, 'method' | 'path' | 'operationId' | 'summary' | 'access' | 'params' | 'query' | 'body' | 'response'>> & {
    params?: P;
    query?: Q;
    body?: B;
    response?: R;
    estimateAmounts?: EstimateAmounts<Input<Of<P>, Of<Q>, Of<B>>>;
    resolveWorkspace?: ResolveWorkspace<Input<Of<P>, Of<Q>, Of<B>>>;
    handle: Handle<Input<Of<P>, Of<Q>, Of<B>>, InputOf<R>>;
  };

type InputOf<R> = R extends z.ZodType ? z.input<R> : undefined;

/** Returns a route; the types of its handler's input and answer are inferred from its schemas. */
export function route<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(row: Row<P, Q, B, R>): Route {
  return { scope: null, throttle: null, status: 200, ...row };
}
