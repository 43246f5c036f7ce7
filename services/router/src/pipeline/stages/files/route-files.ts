/** Finds the one call of a subgraph that takes the files of a request. */
import { isOfEvents } from '../../../brokers/fields/event-fields.ts'
import { unroutableUpload } from '../../../concerns/uploads/refusals.ts'
import type { Stage } from '../../../request/stage.ts'
import type { Text } from '../read-text.ts'
import type { Planned } from '../plan-operation.ts'

/** Decides where the files go. Throws HttpError if they are needed in several calls, or have no place. */
export function routeFiles(): Stage<Planned & Text> {
  return {
    waitsFor: null,
    run: ({ upload, plan, variables, held }) => {
      if (upload === undefined) return undefined
      if (plan.kind === 'subscription')
        throw unroutableUpload('A subscription cannot have files. Send them with a mutation or a query.')
      const keys = upload.keysIn(variables)
      const named = new Set([...keys.values()].map(([variable = '']) => variable))
      const fetches = plan.fetches.filter((fetch) => fetch.variables.some((name) => named.has(name)))
      const [fetch, another] = fetches
      if (another !== undefined) throw severalCalls(named, fetches.length)
      if (fetch === undefined) return undefined
      if (isOfEvents(held.generation.graph, fetch)) throw noFilesInMessages()
      const used = new Set(fetch.variables)
      const passedOn = [...keys].filter(([, [variable = '']]) => used.has(variable))
      const paths = new Map(passedOn.map(([part, path]) => [part, ['variables', ...path].join('.')]))
      upload.passOn({ fetch: fetch.id, paths })
      return undefined
    },
  }
}

function severalCalls(variables: ReadonlySet<string>, calls: number): Error {
  const named = [...variables].slice(0, MAX_NAMED).map((name) => `$${name}`)
  return unroutableUpload(
    `The operation needs the files of ${named.join(', ')} in ${calls} calls of subgraphs. Files are passed on as they arrive, and so to one call: leave one of the fields out that take files, or send it in a request of its own.`,
  )
}

function noFilesInMessages(): Error {
  return unroutableUpload(
    'A field that takes the files publishes or requests messages, which have no files. Expected fields of subgraphs that are called over HTTP.',
  )
}

/** Variables that a refusal names. */
const MAX_NAMED = 5
