/**
 * Whoever says who may see something finds it in the supergraph: at each type and field that it has, whatever
 * other subgraphs say of it.
 */
import { parse, type ConstDirectiveNode } from 'graphql'
import { describe, expect, it } from 'vitest'
import { isAuthorization } from '../src/directives/unsupported-directives.ts'
import { isTypeNode, membersOf } from '../src/documents/definitions.ts'
import { readNames } from '../src/model/names.ts'
import { SETS } from './sets/index.ts'
import { composeSdls } from './subgraph-fixtures.ts'

/** The directives at each type and field: `Query.a @authenticated`. */
function rulesIn(sdl: string): ReadonlySet<string> {
  const document = parse(sdl, { noLocation: true })
  const names = readNames(document)
  const found = new Set<string>()
  const add = (coordinate: string, directives: readonly ConstDirectiveNode[] | undefined) => {
    for (const { name } of directives ?? []) {
      const specified = names.directive(name.value)
      if (specified !== null && isAuthorization(specified)) found.add(`${coordinate} @${specified.name}`)
    }
  }
  for (const node of document.definitions) {
    if (!isTypeNode(node)) continue
    const type = names.type(node.name.value)
    add(type, node.directives)
    for (const member of membersOf(node)) add(`${type}.${member.name.value}`, member.directives)
  }
  return found
}

const RULED = Object.values(SETS)
  .flat()
  .map((set) => ({
    ...set,
    rules: new Set(Object.values(set.subgraphs).flatMap((sdl) => [...rulesIn(sdl)])),
  }))
  .filter(({ rules }) => rules.size > 0)

describe('rules of who may see something', () => {
  it.each(RULED)('are kept: $name', ({ subgraphs, rules }) => {
    const result = composeSdls(subgraphs)
    if (result.kind === 'failed') return
    const kept = rulesIn(result.supergraphSdl)
    expect([...rules].filter((rule) => !kept.has(rule))).toEqual([])
  })

  it('are in many sets', () => {
    expect(RULED.length).toBeGreaterThan(20)
  })
})
