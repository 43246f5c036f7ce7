/**
 * Checks whether the first part of an answer depends on a subgraph that only later parts need. Each subgraph
 * in turn is slow, and answers only after the first part; and each in turn fails.
 */
import type { SuiteOperation } from '../harness/suite.ts'
import type { Bench } from './check-deferred.ts'
import { firstPartOnly } from './first-part-only.ts'
import { givesOnlyKeys, type Reason, uncutFields } from './reentry.ts'

/** An influence of a subgraph on the first part, and the reasons in the rules that allow it. */
export type Dependence = {
  readonly subgraph: string
  readonly effect: 'waits' | 'differs'
  /** Null if no rule allows it. */
  readonly reasons: readonly Reason[] | null
  readonly detail: string
}

export type Independence = {
  /** Subgraphs that no field of the first part needs, and that were slow and failing in turn. */
  readonly checked: number
  readonly dependences: readonly Dependence[]
}

/**
 * Checks that the first part depends only on the subgraphs it needs. Null if nothing is deferred, or if the
 * first part has no data.
 */
export async function checkIndependence(
  { engine }: Bench,
  operation: SuiteOperation,
): Promise<Independence | null> {
  const { parts, calls, plan } = await engine.runDeferred(operation)
  const [first] = parts ?? []
  if (first === undefined || first.data === null) return null
  const alone = await engine.run(firstPartOnly(engine.schema, operation))
  const others = Object.keys(calls).filter((name) => alone.calls[name] === undefined)
  const dependences: Dependence[] = []
  for (const subgraph of others) {
    const slow = await engine.runDeferred(operation, { slow: subgraph })
    const failing = await engine.runDeferred(operation, {
      tamper: (reply, request) =>
        request.subgraph === subgraph
          ? { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: `"${subgraph}" is down.` }
          : reply,
    })
    const [expected, ...got] = [first, slow.parts?.[0], failing.parts?.[0]].map((part) =>
      JSON.stringify(part),
    )
    const isSame = got.every((text) => text === expected)
    if (isSame && !slow.waitedForSlow) continue
    const { compiled } = engine.graph
    const fields = uncutFields(compiled, plan, subgraph)
    const uncut = fields.filter(({ key }) => key === undefined)
    const shown = fields.flatMap(({ key = [] }) => key)
    const sources = new Set(Object.keys(alone.calls))
    if (uncut.length === 0 && givesOnlyKeys(compiled, plan, subgraph, sources, shown))
      uncut.push({ path: 'keys', reason: 'no key from the subgraph that would give the first part alone' })
    // What is fetched with the surroundings may decide where these come from.
    if (uncut.length === 0)
      uncut.push(...uncutFields(compiled, plan, null).filter(({ key }) => key === undefined))
    const reasons = uncut.flatMap(({ reason }) => reason ?? [])
    dependences.push({
      subgraph,
      effect: slow.waitedForSlow ? 'waits' : 'differs',
      reasons: uncut.length === 0 || reasons.length < uncut.length ? null : [...new Set(reasons)],
      detail: `fetched with the first part: ${uncut.map(({ path, reason }) => `${path} (${reason ?? 'no reason'})`).join(', ')}\nalone ${Object.keys(alone.calls).join()}\nexpected ${expected}\nslow     ${got[0]}\nfailing  ${got[1]}`,
    })
  }
  return { checked: others.length, dependences }
}
