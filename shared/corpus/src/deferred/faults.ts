/** Answers that give nothing. */
import type { Random } from '@switchyard/samples'
import type { SubgraphReply } from '@switchyard/engine'
import type { Tamper } from '../harness/run-engine.ts'

const SILENT: readonly SubgraphReply[] = [
  { kind: 'answer', status: 200, body: { data: {} } },
  { kind: 'answer', status: 200, body: { data: { _entities: [] } } },
]

/**
 * A third of all calls get nothing, each in words of its own: then an error told twice is seen. Of an answer
 * that lacks what was asked for, the words are the engine's, and alike for calls of one subgraph, of which
 * only one is answered so.
 */
export function randomFaults(random: Random): Tamper {
  const silent = new Set<string>()
  return (reply, { subgraph, fetch: { id } }) => {
    if (random.below(3) !== 0) return reply
    const failure: SubgraphReply = {
      kind: 'failure',
      code: 'SUBGRAPH_UNREACHABLE',
      message: `Fetch ${id} failed.`,
    }
    const refusal: SubgraphReply = {
      kind: 'answer',
      status: 200,
      body: { data: null, errors: [{ message: `Nothing for fetch ${id}.` }] },
    }
    const fault = random.pick([failure, refusal, ...SILENT])
    if (!SILENT.includes(fault)) return fault
    if (silent.has(subgraph)) return failure
    silent.add(subgraph)
    return fault
  }
}
