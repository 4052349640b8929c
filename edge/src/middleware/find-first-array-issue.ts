import { z } from 'zod';

/** A validation error: its path and its message. */
export interface ValidationIssue {
  path: readonly PropertyKey[];
  message: string;
}

/** Arrays up to this length are checked at once by the schema. */
const FEW = 20;

/** Where a schema contains arrays, at any depth of objects. */
type Plan = ObjectPlan | ArrayPlan;

interface ObjectPlan {
  kind: 'object';
  fields: readonly { name: string; plan: Plan }[];
}

interface ArrayPlan {
  kind: 'array';
  /** The schema of the array, or of the union that the array is an option of. */
  whole: z.ZodType;
  /** The checks of the array itself, such as its length, without those of its elements. */
  bounds: z.ZodType;
  element: z.ZodType;
  inner: Plan | undefined;
}

const PLANS = new WeakMap<z.ZodType, { plan: Plan | undefined }>();

/**
 * Returns the first issue of a value's long arrays, in their length or in an element, or undefined. A schema reports every issue of a
 * value, which is far more expensive than the value when each of many elements has one; so the elements are checked one by one up to the
 * first issue. A value without such an issue may still be invalid elsewhere, but only in a few places.
 */
export function findFirstArrayIssue(schema: z.ZodType, value: unknown): ValidationIssue | undefined {
  let known = PLANS.get(schema);
  if (!known) PLANS.set(schema, (known = { plan: planOf(schema) }));
  return known.plan && look(known.plan, value);
}

/** Runs for every request: allocates nothing for a valid value. */
function look(plan: Plan, value: unknown): ValidationIssue | undefined {
  if (plan.kind === 'array') return Array.isArray(value) ? lookInto(plan, value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const { name, plan: inner } of plan.fields) {
    const found = look(inner, (value as Record<string, unknown>)[name]);
    if (found) return under(name, found);
  }
  return undefined;
}

function lookInto(plan: ArrayPlan, values: readonly unknown[]): ValidationIssue | undefined {
  const isLong = values.length > FEW;
  const bound = isLong ? issueOf(plan.bounds, values) : undefined;
  if (bound) return bound;
  if (!isLong && !plan.inner) return undefined;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    const found = plan.inner && look(plan.inner, value);
    if (found) return under(index, found);
    const issue = isLong ? issueOf(plan.element, value) : undefined;
    // The issue of a union is that the value matches none of its options.
    if (issue) return (plan.whole instanceof z.ZodUnion ? issueOf(plan.whole, [value]) : undefined) ?? under(index, issue);
  }
  return undefined;
}

function under(place: PropertyKey, { path, message }: ValidationIssue): ValidationIssue {
  return { path: [place, ...path], message };
}

function issueOf(schema: z.ZodType, value: unknown): ValidationIssue | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue && { path: issue.path, message: issue.message };
}

function planOf(schema: unknown): Plan | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return planOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return planOfArray(schema, schema);
  if (schema instanceof z.ZodUnion) {
    const array = schema.options.find((option) => option instanceof z.ZodArray);
    return array && planOfArray(schema, array);
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(schema.shape).flatMap(([name, child]) => {
    const plan = planOf(child);
    return plan ? [{ name, plan }] : [];
  });
  return fields.length > 0 ? { kind: 'object', fields } : undefined;
}

function planOfArray(whole: z.ZodType, array: z.ZodArray): ArrayPlan {
  const element = array.element as z.ZodType;
  const bounds = z.array(z.unknown()).check(...((array.def.checks ?? []) as z.core.$ZodCheck<unknown[]>[]));
  return { kind: 'array', whole, bounds, element, inner: planOf(element) };
}
