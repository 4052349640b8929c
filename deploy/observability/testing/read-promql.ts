import { parser } from '@prometheus-io/lezer-promql';

/** A selector of a PromQL expression: `name{label="…"}`. */
export interface Selector {
  metric: string;
  labels: string[];
}

/** What a PromQL expression reads. */
export interface PromqlFacts {
  selectors: Selector[];
  /** Labels of `by`, `without`, `on` and `ignoring`. */
  groupings: string[];
}

/** Reads the selectors of a PromQL expression. @throws Error when it is no valid PromQL */
export function readPromql(expression: string): PromqlFacts {
  const facts: PromqlFacts = { selectors: [], groupings: [] };
  const text = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter: (node) => {
      const inGrouping = node.node.parent?.name === 'GroupingLabels';
      if (node.type.isError) throw new Error(`no valid PromQL at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') facts.selectors.push({ metric: '', labels: [] });
      if (node.name === 'Identifier') (facts.selectors.at(-1) ?? { metric: '' }).metric = text(node);
      if (node.name === 'LabelName' && inGrouping) facts.groupings.push(text(node));
      if (node.name === 'LabelName' && !inGrouping) facts.selectors.at(-1)?.labels.push(text(node));
    },
  });
  return facts;
}
