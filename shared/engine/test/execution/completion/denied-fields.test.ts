import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/execution/execute.ts'
import { compileSupergraph } from '../../../src/graph/compile.ts'
import { openGraph } from '../../../src/graph/graph.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'
import { executionWork } from '../../../src/work/execution-work.ts'
import { supergraph } from '../../graph/supergraph-text.ts'

const ITEMS = 1000
const graph = openGraph(
  compileSupergraph(
    supergraph(
      ['A'],
      'type Query @join__type(graph: A) { list: [T] } type T @join__type(graph: A) { id: ID s: Int @authenticated }',
      '@link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)',
    ),
  ),
)
const plan = planOperation(prepareOperation(graph, { document: '{ list { id s } }' }), new Map())
const list = Array.from({ length: ITEMS }, (_, index) => ({ id: String(index) }))

async function run(maxSteps: number) {
  let turns = 0
  const next = async () => void turns++
  const outcome = await new Promise<string>((resolve) => {
    execute(
      graph,
      {
        plan,
        variables: new Map(),
        work: executionWork({ next }, maxSteps),
        fetch: (_request, done) => done({ kind: 'answer', status: 200, body: { data: { list } } }),
        onDefect: (error) => resolve(error instanceof Error ? error.name : 'unknown'),
      },
      ({ errors }) => resolve(`${errors.length} errors`),
    )
  })
  return { outcome, turns }
}

describe('fields that may not be seen', () => {
  it('are completed in several turns where they are many, since each makes an error', async () => {
    const { outcome, turns } = await run(1_000_000)
    expect(outcome).toBe(`${ITEMS} errors`)
    expect(turns).toBeGreaterThan(1)
  })

  it('count against the steps of the request', async () => {
    expect((await run(ITEMS * 10)).outcome).toBe('ExecutionLimitError')
  })
})
