/** Objects of several types that one call gave, and of which later calls give the rest, type by type. */
import { describe, expect, it } from 'vitest'
import { createMonolith } from '../../src/harness/monolith.ts'
import { createEngine } from '../../src/harness/run-engine.ts'
import { FED2, type Suite } from '../../src/harness/suite.ts'
import { sharedInterfaceFields } from '../../src/suites/shared-interface-fields.ts'
import { checkDeferred } from '../../src/deferred/check-deferred.ts'

const byType: Suite = {
  name: 'the rest of an object, from a subgraph for each type',
  monolith: `
    type Query { accounts: [Account!]! }
    interface Account { id: ID! info: Info }
    type Admin implements Account { id: ID! info: Info }
    type User implements Account { id: ID! info: Info }
    type Info { x: Int y: Int }
  `,
  tables: () => ({
    Admin: [{ __typename: 'Admin', id: 'a1', info: { __typename: 'Info', x: 1, y: 2 } }],
    User: [{ __typename: 'User', id: 'u1', info: { __typename: 'Info', x: 3, y: 4 } }],
  }),
  fields: { 'Query.accounts': (_row, _args, tables) => [tables['Admin']?.[0], tables['User']?.[0]] },
  subgraphs: {
    admins: {
      sdl: `${FED2} type Admin @key(fields: "id") { id: ID! info: Info @shareable } type Info @shareable { y: Int }`,
    },
    lists: {
      sdl: `${FED2}
        type Query { accounts: [Account!]! }
        interface Account { id: ID! info: Info }
        type Admin implements Account @key(fields: "id") { id: ID! info: Info @shareable }
        type User implements Account @key(fields: "id") { id: ID! info: Info @shareable }
        type Info @shareable { x: Int }`,
    },
    users: {
      sdl: `${FED2} type User @key(fields: "id") { id: ID! info: Info @shareable } type Info @shareable { y: Int }`,
    },
  },
  operations: [],
}

describe('the rest of objects that are deferred', () => {
  it.each([
    { suite: byType, query: '{ accounts { info { x ... @defer { y } } } }', later: ['admins', 'users'] },
    // The types of what an interface object gives are known to nobody when the first part is sent.
    {
      suite: sharedInterfaceFields,
      query: '{ accounts { rank { level ... @defer { e: level } } } }',
      later: ['states'],
    },
  ])('is fetched for all of their types: $suite.name', async ({ suite, query, later }) => {
    const bench = { suite, monolith: createMonolith(suite), engine: createEngine(suite) }
    const operation = { name: 'rest', query }
    const verdict = await checkDeferred(bench, operation, 1)
    if (verdict.kind === 'wrong') throw new Error(`${verdict.rule}: ${verdict.detail}`)
    expect(verdict.isExact).toBe(true)
    const subgraphs = Object.keys(suite.subgraphs).toSorted()
    const { fetches } = verdict.plan
    const calls = fetches.filter(({ group }) => group === 1).map(({ subgraph }) => subgraphs[subgraph])
    expect(calls.toSorted()).toEqual(later)
  })
})
