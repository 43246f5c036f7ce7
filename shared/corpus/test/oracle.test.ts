import { isLongRun } from '@switchyard/testkit'
import { compose, printCompositionErrors } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { withoutDefers } from '@switchyard/samples'
import { deferredOperation } from '../src/deferred/questions.ts'
import { lostEntities } from '../src/harness/lost-entities.ts'
import { createMonolith } from '../src/harness/monolith.ts'
import { createSubgraphs } from '../src/harness/subgraph-behaviour.ts'
import { subgraphInputs } from '../src/harness/suite.ts'
import { SUITES } from '../src/suites/index.ts'

/** Random operations of each suite, besides its own. */
const DRAWN = isLongRun() ? 40 : 8

describe.each(SUITES)('the suite $name is sound:', (suite) => {
  const monolith = createMonolith(suite)

  it('its subgraphs compose', () => {
    const result = compose({ subgraphs: subgraphInputs(suite) })
    const sources = new Map(Object.entries(suite.subgraphs).map(([name, { sdl }]) => [name, { sdl }]))
    expect(result.kind === 'failed' ? printCompositionErrors(result.errors, sources) : '').toBe('')
  })

  it('its subgraphs can be served', () => {
    expect(createSubgraphs(suite, monolith.world).size).toBe(Object.keys(suite.subgraphs).length)
  })

  it('each entity that it gives is found again by each of its keys', async () => {
    const drawn = Array.from({ length: DRAWN }, (_, seed) => withoutDefers(deferredOperation(monolith, seed)))
    expect(await lostEntities(suite, [...suite.operations, ...drawn])).toEqual([])
  })

  it('it has at least six operations with names of their own', () => {
    expect(suite.operations.length).toBeGreaterThanOrEqual(6)
    expect(new Set(suite.operations.map(({ name }) => name)).size).toBe(suite.operations.length)
  })

  it.each(suite.operations)('the monolith answers: $name', async (operation) => {
    const answer = await monolith.answer(operation)
    if (operation.errors === undefined) expect(answer.messages).toEqual([])
    else expect(answer.messages).not.toEqual([])
    if (operation.errors === undefined) expect(answer.data).not.toBeNull()
  })
})
