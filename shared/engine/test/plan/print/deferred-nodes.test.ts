import { expect, it } from 'vitest'
import { printPlan } from '../../../src/plan/print/print-plan.ts'
import { deferred, world } from '../search/split-at-defer/planned.ts'

it('a printed plan shows each deferred fragment, what it waits for, and what is fetched for it', () => {
  const plan = deferred(
    '{ me { age ... @defer(label: "mail") { mail ... on User @defer { greeting } } ... @defer { age } ... @defer { mail name } } node { ... on Book @defer { title } } }',
  )
  const text = printPlan(world.graph, plan)
  expect(text.split('\n').filter((line) => !/^ +[|$]/.test(line))).toEqual([
    'Plan for a query: 5 requests, depth 2, effort 5400',
    'Deferred 1 "mail" at me: waits for fetch 3',
    'Deferred 2 at me: waits for deferred 1, fetch 4',
    'Deferred 3 at me: dropped, everything in it is delivered with what is around it',
    'Deferred 4 at me: waits for deferred 1, fetch 1',
    'Deferred 5 at node (Book): waits for fetch 2',
    'Sequence',
    '  Fetch 0 from "a" (level 1, effort 1000): root fields',
    '  Parallel',
    '    Fetch 1 from "a" after 0 for deferred 4 (level 2, effort 1100): key "id"',
    '    Fetch 2 from "a" after 0 for deferred 5 (level 2, effort 1100): key "id"',
    '    Fetch 3 from "b" after 0 for deferred 1 (level 2, effort 1100): key "id"',
    '    Fetch 4 from "c" after 0 for deferred 2 (level 2, effort 1100): key "id", requires "age" of User.greeting',
    '',
  ])
})

it('a printed plan says which fragments are only delivered later', () => {
  const plan = deferred('{ box { inners { p ... @defer { q } } } me { id ... @defer { name } } }')
  const lines = printPlan(world.graph, plan).split('\n')
  expect(lines.filter((line) => line.startsWith('Deferred'))).toEqual([
    'Deferred 1 at box.inners: waits for fetch 0, fetched with its surroundings',
    'Deferred 2 at me: waits for fetch 1',
  ])
})
