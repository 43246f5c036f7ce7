/** The parts of a deferred execution as a client would read them: as JSON, with empty lists left out. */
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
): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = []
  return new Promise((resolve) => {
    const take = (part: StreamPart) => {
      parts.push(JSON.parse(JSON.stringify(part)))
      if (part.hasNext === false) resolve(parts)
    }
    const execution = executeIncrementally(graph, options, {
      initial: ({ data, errors, pending, hasNext }) => {
        take({ ...filled({ errors }), data, ...filled({ pending }), hasNext })
        onFirstPart()
      },
      subsequent: ({ incremental, completed, pending, hasNext }) =>
        take({ ...filled({ incremental }), completed, ...filled({ pending }), hasNext }),
    })
    onOpen(execution)
  })
}

function filled<Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>
}
