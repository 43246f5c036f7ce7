/**
 * The entities that the calls of the first part ask for, beside those of the operation without what it
 * defers.
 */
import { isRecord } from '@switchyard/values'
import type { SubgraphRequest } from '@switchyard/engine'
import type { SuiteOperation } from '../harness/suite.ts'
import type { Bench } from './check-deferred.ts'
import { firstPartOnly } from './first-part-only.ts'
import { type Reason, uncutFields } from './reentry.ts'

export type FirstEntities = {
  /** Entities that were asked for before the first part. */
  readonly asked: number
  /** Entities that the operation without its fragments does not ask for, by subgraph and representation. */
  readonly surplus: readonly string[]
  /** The rules by which fields of later parts may be fetched with the first one. Empty if no rule does. */
  readonly reasons: readonly Reason[]
}

/** Null where nothing is deferred. */
export async function checkFirstEntities(
  { engine }: Bench,
  operation: SuiteOperation,
): Promise<FirstEntities | null> {
  const asked = new Set<string>()
  const { parts, plan } = await engine.runDeferred(operation, {
    tamper: (reply, request) => {
      if (request.fetch.group === 0) for (const entity of entitiesOf(request)) asked.add(entity)
      return reply
    },
  })
  if (parts === null) return null
  const known = new Set<string>()
  await engine.run(firstPartOnly(engine.schema, operation), (reply, request) => {
    for (const entity of entitiesOf(request)) known.add(entity)
    return reply
  })
  const uncut = uncutFields(engine.graph.compiled, plan, null).filter(({ key }) => key === undefined)
  return {
    asked: asked.size,
    surplus: [...asked].filter((entity) => !known.has(entity)),
    reasons: uncut.flatMap(({ reason }) => reason ?? []),
  }
}

function entitiesOf({ subgraph, body }: SubgraphRequest): readonly string[] {
  const { variables }: { readonly variables?: Readonly<Record<string, unknown>> } = JSON.parse(body)
  return Object.values(variables ?? {})
    .flat()
    .flatMap((value) =>
      isRecord(value) && '__typename' in value ? [`${subgraph} ${JSON.stringify(value)}`] : [],
    )
}
