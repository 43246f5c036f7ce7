import { expect, it } from 'vitest'
import { withoutHeaders } from '../src/page/page-storage.ts'

/** As a browser has it, as far as it is used here. */
function memoryStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    key: (index) => [...kept.keys()][index] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  }
}

it('keeps no headers, wherever GraphiQL writes them', () => {
  const kept = memoryStorage()
  const storage = withoutHeaders(kept)
  const item = { query: '{ a }', variables: '{}', headers: '{ "authorization": "Bearer secret" }' }
  storage.setItem('graphiql:queries', JSON.stringify({ queries: [item, { query: '{ b }' }] }))
  storage.setItem('graphiql:tabState', JSON.stringify({ tabs: [item], activeTabIndex: 0 }))
  storage.setItem('graphiql:theme', 'dark headers')
  expect(JSON.parse(kept.getItem('graphiql:queries') ?? '')).toEqual({
    queries: [{ query: '{ a }', variables: '{}', headers: null }, { query: '{ b }' }],
  })
  expect(
    JSON.stringify([...Array(3).keys()].map((index) => kept.getItem(kept.key(index) ?? ''))),
  ).not.toContain('secret')
  expect(storage.getItem('graphiql:theme')).toBe('dark headers')
  expect(storage.length).toBe(3)
  storage.removeItem('graphiql:theme')
  expect(storage.key(2)).toBeNull()
  storage.clear()
  expect(kept).toHaveLength(0)
})
