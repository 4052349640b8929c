import { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type z } from 'zod';
import { type Principal } from '../middleware/principal.ts';
import { type RouteDeps } from './deps.ts';
import { type RouteFacts } from './route-facts.ts';

type Shape = z.ZodObject;
type Of<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler is given: everything already authenticated and validated. */
export interface Input<P = undefined, Q = undefined, B = undefined> {
  params: P;
  query: Q;
  body: B;
  /** Of a public route: nobody. */
  principal: Principal;
  req: IncomingMessage;
}

/** What a handler answers; `status` only where it differs from the row's. */
export interface Reply<R> {
  body: R;
  status?: number;
  headers?: OutgoingHttpHeaders;
}

/** A row of the route table. */
export interface Route extends RouteFacts {
  handle: (input: Input<never, never, never>, deps: RouteDeps) => Promise<Reply<unknown>> | Reply<unknown>;
}

type Row<P extends Shape | undefined, Q extends Shape | undefined, B extends z.ZodType | undefined, R extends z.ZodType | undefined> = Pick<
  RouteFacts,
  'method' | 'path' | 'operationId' | 'summary' | 'access'
> &
  Partial<Pick<RouteFacts, 'scope' | 'throttle' | 'status' | 'paged' | 'errors'>> & {
    params?: P;
    query?: Q;
    body?: B;
    response?: R;
    handle: (input: Input<Of<P>, Of<Q>, Of<B>>, deps: RouteDeps) => Promise<Reply<InputOf<R>>> | Reply<InputOf<R>>;
  };

type InputOf<R> = R extends z.ZodType ? z.input<R> : undefined;

/** A row whose handler's input and answer follow from its schemas. */
export function route<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(row: Row<P, Q, B, R>): Route {
  return { scope: null, throttle: null, status: 200, ...row };
}
