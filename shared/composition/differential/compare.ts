/** One graph, composed by both composers, and where the two differ. */
import { compose, type CompositionResult } from '@switchyard/composition'
import { askLibrary, type LibraryResult } from './library.ts'
import type { Sdls } from './random-graph.ts'
import { readFacts } from './supergraph-facts.ts'

/** The verdict of both on a graph, if it is the same. */
export type Agreement = 'composed alike' | 'refused alike' | 'unreachable alike'

export type Difference = {
  readonly kind: 'facts' | 'codes' | 'only we compose' | 'only the library composes' | 'the library stops'
  readonly sdls: Sdls
  /** Statements that one of the two makes alone: facts if both compose, and codes otherwise. */
  readonly onlyOurs: readonly string[]
  readonly onlyTheirs: readonly string[]
  readonly ours: CompositionResult
  readonly theirs: LibraryResult
}

/** Composes by both. */
export function compareComposers(sdls: Sdls): Agreement | Difference {
  const ours = composeSdls(sdls, false)
  const theirs = askLibrary(sdls)
  const [here, there] = [statementsOf(ours), statementsOf(theirs)]
  const onlyOurs = [...here].filter((one) => !there.has(one))
  const onlyTheirs = [...there].filter((one) => !here.has(one))
  const difference = { sdls, onlyOurs, onlyTheirs, ours, theirs }
  if (theirs.kind === 'stopped') return { kind: 'the library stops', ...difference }
  if (ours.kind !== theirs.kind)
    return { kind: ours.kind === 'composed' ? 'only we compose' : 'only the library composes', ...difference }
  if (onlyOurs.length + onlyTheirs.length > 0)
    return { kind: ours.kind === 'composed' ? 'facts' : 'codes', ...difference }
  if (ours.kind === 'composed') return 'composed alike'
  return here.has('SATISFIABILITY_ERROR') ? 'unreachable alike' : 'refused alike'
}

/** Composes by ours. */
export function composeSdls(sdls: Sdls, isStrict: boolean): CompositionResult {
  const subgraphs = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    routingUrl: `http://${encodeURIComponent(name)}/`,
    sdl,
  }))
  return compose({ subgraphs, isStrict })
}

/** The facts of a supergraph, or the codes of errors. */
function statementsOf(result: CompositionResult | LibraryResult): ReadonlySet<string> {
  switch (result.kind) {
    case 'composed':
      return new Set(readFacts(result.supergraphSdl))
    case 'failed':
      return new Set(result.errors.map(({ code }) => code))
    case 'stopped':
      return new Set()
    default:
      return result satisfies never
  }
}
