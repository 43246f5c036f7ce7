/**
 * The parts of a deferred execution as a client would read them: as JSON, with empty lists left out; and what
 * each of them and all before it cost, where that is counted.
 */
import type { StreamPart } from '@switchyard/testkit'
import {
  executeIncrementally,
  type Graph,
  type IncrementalExecution,
  type IncrementalOptions,
} from '@switchyard/engine'

export function collectParts(
  graph: Graph,
  options: IncrementalOptions,
  onOpen: (execution: IncrementalExecution) => void,
  onFirstPart: () => void,
): Promise<{ readonly parts: readonly StreamPart[]; readonly costs: readonly (number | null)[] }> {
  const parts: StreamPart[] = []
  const costs: (number | null)[] = []
  return new Promise((resolve) => {
    const take = (part: StreamPart, cost: number | null) => {
      parts.push(JSON.parse(JSON.stringify(part)))
      if (options.cost !== undefined) costs.push(cost)
      if (part.hasNext === false) resolve({ parts, costs })
    }
    const execution = executeIncrementally(graph, options, {
      initial: ({ data, errors, pending, hasNext }, _weight, cost) => {
        take({ ...filled({ errors }), data, ...filled({ pending }), hasNext }, cost)
        onFirstPart()
      },
      subsequent: ({ incremental, completed, pending, hasNext }, _weight, cost) =>
        take({ ...filled({ incremental }), completed, ...filled({ pending }), hasNext }, cost),
    })
    onOpen(execution)
  })
}

function filled<Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>
}
