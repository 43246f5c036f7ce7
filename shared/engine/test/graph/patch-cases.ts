/** A graph whose definitions stand on lines of their own, as composers write them. */
import { type CompiledGraph, openGraph, planOperation, prepareOperation, printPlan } from '../../src/index.ts'
import { supergraph } from './supergraph-text.ts'

const LINKS = `
  @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)
  @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)
  @link(url: "https://specs.apollo.dev/cost/v0.1")`

/** The text of a supergraph with these types. */
export function textOf(types: readonly string[], graphs = ['A', 'B']): string {
  return supergraph(graphs, '', LINKS)
    .split('\n')
    .map((line) => line.trim())
    .concat(types)
    .join('\n')
}

/** The plan of an operation, as it is printed. Throws if the graph does not have what it names. */
export function planOf(compiled: CompiledGraph, document: string): string {
  const graph = openGraph(compiled)
  const operation = prepareOperation(graph, { document })
  return printPlan(graph, planOperation(operation, operation.coerceVariables({})))
}
