import { protocolComplaints, type StreamPart } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../samples/src/index.ts'
import type { SubgraphReply } from '../../src/execution/contract.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { createMonolith } from '../corpus/harness/monolith.ts'
import { createEngine } from '../corpus/harness/run-engine.ts'
import { SUITES } from '../corpus/suites/index.ts'
import { Stream } from '../execution/support/incremental.ts'
import { deferredOperation } from './questions.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const RUNS = Number(process.env['RUNS'] ?? 200)
const ORDERS = 4

type Recorded = { readonly context: string; readonly plan: Plan; readonly parts: readonly StreamPart[] }

const faults = (fetch: number): readonly SubgraphReply[] => [
  { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: `Fetch ${fetch} failed.` },
  { kind: 'answer', status: 200, body: { data: null, errors: [{ message: `Nothing for fetch ${fetch}.` }] } },
  { kind: 'answer', status: 200, body: { data: {} } },
  { kind: 'answer', status: 200, body: { data: { _entities: [] } } },
]

/** Answers in any order, and stops reading now and then. */
async function replay(
  run: Stream,
  replyTo: (fetch: number) => SubgraphReply,
  random: Random,
): Promise<readonly StreamPart[]> {
  await Promise.resolve()
  const answered = new Set<number>()
  for (;;) {
    if (random.below(3) === 0) run.execution.pause()
    const open = run.requests.filter((id) => !answered.has(id))
    if (open.length === 0 || random.below(3) === 0) run.execution.resume()
    const left = run.requests.filter((id) => !answered.has(id))
    if (left.length === 0) return run.payloads.map((text): StreamPart => JSON.parse(text))
    const id = random.pick(left)
    answered.add(id)
    run.answer(id, replyTo(id))
  }
}

describe(`the order in which subgraphs answer (SEED=${SEED} RUNS=${RUNS})`, { timeout: 600_000 }, () => {
  /** Streams of random operations, each in some orders, with what was recorded of the first. */
  async function inAnyOrder(
    check: (
      recorded: Recorded,
      play: (
        change: (reply: SubgraphReply | undefined, fetch: number) => SubgraphReply,
      ) => Promise<readonly StreamPart[]>,
      random: Random,
    ) => Promise<void>,
  ): Promise<void> {
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const random = new Random(seed)
      const suite = random.pick(SUITES)
      const engine = createEngine(suite)
      const operation = deferredOperation(createMonolith(suite), seed)
      const replies: SubgraphReply[] = []
      const { parts, plan } = await engine.runDeferred(operation, (reply, { fetch }) => {
        replies[fetch.id] = reply
        return reply
      })
      if (parts === null) continue
      for (let order = 0; order < ORDERS; order++) {
        const context = `${suite.name}, operation ${seed}, order ${order}\n${operation.query}`
        await check(
          { context, plan, parts },
          (change) => replay(new Stream(engine.graph, plan), (id) => change(replies[id], id), random),
          random,
        )
      }
    }
  }

  it('decides when a fragment is delivered, never what is in it', async () => {
    let compared = 0
    let moved = 0
    await inAnyOrder(async ({ context, parts }, play) => {
      const played = await play((reply) => {
        if (reply === undefined) throw new Error(`A fetch was not made before.\n${context}`)
        return reply
      })
      expect(protocolComplaints(played), context).toEqual([])
      expect(played[0], context).toEqual(parts[0])
      expect(byFragment(played), context).toEqual(byFragment(parts))
      compared++
      if (JSON.stringify(played) !== JSON.stringify(parts)) moved++
    })
    expect(compared).toBeGreaterThan(RUNS)
    expect(moved).toBeGreaterThan(0)
  })

  it('never keeps a stream from its end, whatever fails', async () => {
    let failed = 0
    await inAnyOrder(async ({ context }, play, random) => {
      const played = await play((reply, fetch) =>
        reply === undefined || random.below(3) === 0 ? random.pick(faults(fetch)) : reply,
      )
      expect(protocolComplaints(played), `${context}\n${JSON.stringify(played, null, 1)}`).toEqual([])
      if (played.some(({ completed = [] }) => completed.some(({ errors }) => errors !== undefined))) failed++
    })
    expect(failed).toBeGreaterThan(0)
  })
})

/** What each fragment delivered and announced, in the order of their ids. */
function byFragment(parts: readonly StreamPart[]): readonly unknown[] {
  const idOf = ({ completed = [] }: StreamPart) => Number(completed[0]?.id)
  return parts
    .slice(1)
    .sort((a, b) => idOf(a) - idOf(b))
    .map((part) => ({ ...part, hasNext: null }))
}
