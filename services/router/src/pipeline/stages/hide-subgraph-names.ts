/**
 * The errors of an answer without the names of subgraphs, for those who tell nobody how their graph is made
 * (`subgraph_errors.show_subgraph_names`). Logs, metrics and traces name them all the same.
 */
import type { IncrementalListener, ResponseError } from '@switchyard/engine'

/** Every error that has to do with one subgraph names it in the extension `serviceName`. */
export function withoutSubgraphNames(errors: readonly ResponseError[]): ResponseError[] {
  return errors.map((error) => {
    const { serviceName, ...extensions } = error.extensions ?? {}
    if (typeof serviceName !== 'string') return error
    return { ...error, message: withoutName(error.message, serviceName), extensions }
  })
}

/** As the messages of the router name a subgraph, at the beginning of a sentence and within one. */
function withoutName(message: string, name: string): string {
  return message.replaceAll(`Subgraph "${name}"`, 'A subgraph').replaceAll(`subgraph "${name}"`, 'a subgraph')
}

/** Hands on what is delivered in parts, with errors that name no subgraph. */
export function hidingSubgraphNames(listener: IncrementalListener): IncrementalListener {
  return {
    initial: (result, weight, cost) =>
      listener.initial({ ...result, errors: withoutSubgraphNames(result.errors) }, weight, cost),
    subsequent: (result, weight, cost) =>
      listener.subsequent(
        {
          ...result,
          completed: result.completed.map(withHiddenNames),
          incremental: result.incremental.map(withHiddenNames),
        },
        weight,
        cost,
      ),
  }
}

function withHiddenNames<Entry extends { readonly errors?: readonly ResponseError[] }>(entry: Entry): Entry {
  return entry.errors === undefined ? entry : { ...entry, errors: withoutSubgraphNames(entry.errors) }
}
