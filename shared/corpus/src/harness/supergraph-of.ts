/** Composes the subgraphs of a suite. */
import { compose } from '@switchyard/composition'
import { type Suite, subgraphInputs } from './suite.ts'

/** Supergraphs by their subgraphs. Many tests of a process use the same ones, and composing takes long. */
const composed = new WeakMap<Suite['subgraphs'], string>()

export function supergraphOf(suite: Suite): string {
  const known = composed.get(suite.subgraphs)
  if (known !== undefined) return known
  const result = compose({ subgraphs: subgraphInputs(suite) })
  if (result.kind === 'failed') throw new Error(`The suite ${suite.name} does not compose`)
  composed.set(suite.subgraphs, result.supergraphSdl)
  return result.supergraphSdl
}
