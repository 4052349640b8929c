import { GatewayError } from '@parley/protos/errors';
import { isChatModel } from './model-kind.ts';

/** The model settings of a connection. */
export interface ModelSettings {
  /** Model names in the order in which the upstream lists them or the operator named them. */
  models: readonly string[];
  /** The model that `auto` selects; empty for the first chat model. */
  defaultModel: string;
  /** Model by alias. */
  aliases: Readonly<Record<string, string>>;
}

/** Whether a model is paused because the upstream did not know it. */
export type IsModelPaused = (model: string) => boolean;

/** The name that requests the connection's default model. */
const AUTO = 'auto';
/** Maximum aliases of one connection. */
const MAX_ALIASES = 100;
const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;

/**
 * Resolves a requested name to a model of the connection: a model to itself, an alias to its model, and `auto` to the default model, else
 * the first chat model, else the first model. Undefined when the connection does not offer it or the model is paused.
 */
export function findModel(offer: ModelSettings, asked: string, isModelPaused: IsModelPaused): string | undefined {
  if (asked === AUTO) return autoModel(offer, isModelPaused);
  const { models, aliases } = offer;
  // A listed model takes precedence over an alias of the same name, so that a model name never means another model.
  const model = models.includes(asked) ? asked : Object.hasOwn(aliases, asked) ? aliases[asked] : undefined;
  return model !== undefined && models.includes(model) && !isModelPaused(model) ? model : undefined;
}

/** All names except `auto` that a turn may request from a connection: models that are not paused, then their aliases. */
export function listOfferedModels(offer: ModelSettings, isModelPaused: IsModelPaused): string[] {
  const names = new Set([...offer.models, ...Object.keys(offer.aliases)]);
  return [...names].filter((name) => findModel(offer, name, isModelPaused) !== undefined);
}

/**
 * Validates `default_model` and `aliases` of a connection. Throws VALIDATION_ERROR for a model that the connection does not offer, an alias
 * that is malformed, `auto` or the name of a model, too many aliases, and for either setting on a connection whose purpose is not chat.
 */
export function requireValidModelSettings(purpose: string, { models, defaultModel, aliases }: ModelSettings): void {
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

function autoModel({ models, defaultModel }: ModelSettings, isModelPaused: IsModelPaused): string | undefined {
  // A connection without a model list leaves the choice to its upstream.
  if (models.length === 0) return AUTO;
  const awake = models.filter((model) => !isModelPaused(model));
  return awake.includes(defaultModel) ? defaultModel : (awake.find(isChatModel) ?? awake[0]);
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param });
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
