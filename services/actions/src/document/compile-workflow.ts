import { type JsonValue } from '../domain/json.ts';
import { type Risk, type Step, type Workflow } from '../domain/workflow.ts';
import { type ArazzoDocument, type ArazzoWorkflow } from './arazzo.ts';
import { type ExpressionScope } from './check-expressions.ts';
import { compileInputs } from './compile-inputs.ts';
import { checkOutput, compileStep } from './compile-step.ts';
import { type FindingReporter } from './finding-reporter.ts';
import { type CallableOperation, listOperations } from './list-operations.ts';

/** Name of an action in URLs: at most 64 lower-case letters and digits with single dashes. */
const SLUG = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_STEPS = 50;
const RISKS: readonly Risk[] = ['read', 'write', 'irreversible'];

/** Compiles a document that is valid by the schema, and reports findings; with findings, the result must not be used. */
export function compileWorkflow(
  document: ArazzoDocument,
  sources: Readonly<Record<string, JsonValue>>,
  location: FindingReporter,
): Workflow {
  const { info, components, workflows, 'x-parley-slug': slug, 'x-parley-connection': connection = false } = document;
  if (typeof slug !== 'string' || !SLUG.test(slug)) {
    location
      .at('x-parley-slug')
      .report("'x-parley-slug' must name the action: at most 64 lower-case letters and digits with single dashes.");
  }
  if (typeof connection !== 'boolean')
    location.at('x-parley-connection').report('It must be true or false: whether steps need the credentials of a connection.');
  if (components) location.at('components').report("'components' are not supported; write what is referred to where it is used.");
  if (workflows.length > 1) location.at('workflows', 1).report('A document has one workflow.');
  const [workflow] = workflows as [ArazzoWorkflow];
  const here = location.at('workflows', 0);
  const { inputs, fileInputs } = compileInputs(workflow.inputs, here.at('inputs'));
  const operations = listOperations(document.sourceDescriptions, sources, location.at('sourceDescriptions'));
  const names = new Set(Object.keys((inputs.properties as object | undefined) ?? {}));
  const steps = compileSteps(workflow, { inputs: names, operations, location: here });
  return {
    slug: typeof slug === 'string' ? slug : '',
    title: info.title,
    description: info.description ?? info.summary ?? workflow.description ?? workflow.summary ?? '',
    risk: steps
      .map(({ risk }) => risk)
      .reduce((riskiest, risk) => (RISKS.indexOf(risk) > RISKS.indexOf(riskiest) ? risk : riskiest), 'read'),
    requiresConnection: connection === true,
    inputs,
    fileInputs,
    steps,
    outputs: workflow.outputs ?? {},
  };
}

function compileSteps(
  workflow: ArazzoWorkflow,
  { inputs, operations, location }: { inputs: ReadonlySet<string>; operations: readonly CallableOperation[]; location: FindingReporter },
): readonly Step[] {
  if (workflow.dependsOn) location.at('dependsOn').report('An action has one workflow; it cannot depend on another.');
  if (workflow.steps.length > MAX_STEPS) location.at('steps').report(`A workflow has at most ${MAX_STEPS} steps.`);
  const earlier = new Map<string, ReadonlySet<string>>();
  const ids = workflow.steps.map(({ stepId }) => stepId);
  const compiled = workflow.steps.map((step, index) => {
    const here = location.at('steps', index);
    if (earlier.has(step.stepId)) here.at('stepId').report(`There is another step '${step.stepId}'.`);
    const scope: ExpressionScope = { inputs, steps: new Map(earlier), hasResponse: false };
    const laterStepIds = ids.slice(index + 1);
    const made = compileStep(step, { operations, workflow, workflowLocation: location, scope, laterStepIds, location: here });
    earlier.set(step.stepId, new Set(Object.keys(step.outputs ?? {})));
    return made;
  });
  const scope: ExpressionScope = { inputs, steps: earlier, hasResponse: false };
  for (const [name, text] of Object.entries(workflow.outputs ?? {})) checkOutput(name, text, scope, location.at('outputs', name));
  return compiled.filter((step) => step !== undefined);
}
