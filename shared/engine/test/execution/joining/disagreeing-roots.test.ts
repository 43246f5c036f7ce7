/**
 * Subgraphs that share a root must give the same object. Where one of them does not, its values are not taken
 * for another's.
 */
import { describe, expect, it } from 'vitest'
import { createEngine, externalKeyRoots, type FieldFunction, type Suite } from '@switchyard/corpus'

describe('two roots that find different objects', () => {
  it('take nothing for one type from an object of another', async () => {
    const query = '{ node(id: "a1") { id ... on Account { username } ... on Chat { text } } }'
    const { result } = await answerOf(query, (_row, _args, tables) => tables['Chat']?.[0])
    expect(result).toEqual({ data: { node: { id: 'a1', username: 'ann' } }, errors: [] })
  })

  it('leave a field null, with an error, that the object of the type would have had', async () => {
    const query = '{ node(id: "c1") { __typename id } }'
    const { result } = await answerOf(query, (_row, _args, tables) => tables['Account']?.[0])
    expect(result.data).toEqual({ node: null })
    expect(result.errors.map(({ path }) => path?.join('.'))).toEqual(['node.id'])
  })
})

/** With another root field in the subgraph "talk". */
function answerOf(query: string, node: FieldFunction) {
  const talk = { sdl: externalKeyRoots.subgraphs['talk']?.sdl ?? '', fields: { 'Query.node': node } }
  const suite: Suite = { ...externalKeyRoots, subgraphs: { ...externalKeyRoots.subgraphs, talk } }
  return createEngine(suite).run({ name: query, query })
}
