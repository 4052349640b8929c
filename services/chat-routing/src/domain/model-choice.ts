import { GatewayError } from '@parley/protos/errors';
import { isChatModel } from './model-kind.ts';

/** What the choice of a model on a connection looks at. */
export interface ModelOffer {
  /** In the order of the upstream, or of the operator. */
  models: readonly string[];
  /** What `auto` is on the connection; empty: its first chat model. */
  defaultModel: string;
  /** Alias to model. */
  aliases: Readonly<Record<string, string>>;
}

/** Whether a model takes no turns for a while. */
export type IsResting = (model: string) => boolean;

/** Asks for whatever model a connection has. */
const AUTO = 'auto';
/** Aliases of one connection. */
const MAX_ALIASES = 100;
const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;

/**
 * The model that a connection uses for the one that is asked for: the same, what it is an alias of, or for `auto` the default one, else the
 * first chat model, else the first. Undefined when it does not offer it, or only one that rests.
 */
export function modelFor(offer: ModelOffer, asked: string, rests: IsResting): string | undefined {
  if (asked === AUTO) return autoModel(offer, rests);
  const { models, aliases } = offer;
  // What the upstream lists by this name by now goes first, so that a model is never another one.
  const model = models.includes(asked) ? asked : Object.hasOwn(aliases, asked) ? aliases[asked] : undefined;
  return model !== undefined && models.includes(model) && !rests(model) ? model : undefined;
}

/** Every name that a turn may ask a connection for, but `auto`: models that do not rest, then aliases of those. */
export function offeredModels(offer: ModelOffer, rests: IsResting): string[] {
  const names = new Set([...offer.models, ...Object.keys(offer.aliases)]);
  return [...names].filter((name) => modelFor(offer, name, rests) !== undefined);
}

/**
 * Throws VALIDATION_ERROR for a default model, or an alias of a model, that the connection does not offer, for an alias that is a model, and for
 * either on a connection that turns do not run on.
 */
export function requireModelChoice(purpose: string, { models, defaultModel, aliases }: ModelOffer): void {
  const isChat = purpose === 'chat';
  if (defaultModel !== '' && !isChat) throw invalid('default_model', 'default_model is for connections that chats run on');
  if (defaultModel !== '' && !models.includes(defaultModel))
    throw invalid('default_model', `the connection offers no ${quoted(defaultModel)}`);
  const entries = Object.entries(aliases);
  if (entries.length > 0 && !isChat) throw invalid('aliases', 'aliases are for connections that chats run on');
  if (entries.length > MAX_ALIASES) throw invalid('aliases', `a connection has at most ${MAX_ALIASES} aliases`);
  for (const [alias, model] of entries) {
    if (alias === AUTO) throw invalid('aliases', 'auto is no alias: it is every connection’s own choice; see default_model');
    if (!ALIAS.test(alias)) throw invalid('aliases', 'an alias is up to 200 letters, digits and any of . _ : / @ + -');
    if (models.includes(alias)) throw invalid('aliases', `${quoted(alias)} is a model of the connection`);
    if (!models.includes(model)) throw invalid('aliases', `the connection offers no ${quoted(model)}, which ${quoted(alias)} is to be`);
  }
}

function autoModel({ models, defaultModel }: ModelOffer, rests: IsResting): string | undefined {
  // A connection with unknown models leaves the choice to its upstream.
  if (models.length === 0) return AUTO;
  const awake = models.filter((model) => !rests(model));
  return awake.includes(defaultModel) ? defaultModel : (awake.find(isChatModel) ?? awake[0]);
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param });
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
