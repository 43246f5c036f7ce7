/**
 * A graph with very many plans for one operation, of the shape that a published benchmark of gateways has:
 * seven subgraphs share a root and an entity that refers to itself, each field in four of them.
 */
import { joinField, madeType, printSupergraph } from './supergraph-writer.ts'

/** The subgraphs that have the fields `n0` and `f0`, `n1` and `f1`, and so on. */
const OWNERS = [
  [1, 3, 4, 5],
  [0, 3, 4, 6],
  [0, 2, 5, 6],
  [3, 4, 5, 6],
  [0, 1, 3, 4],
  [0, 1, 4, 5],
  [0, 2, 3, 6],
]
const LEVELS = 4

export function manyPlansSupergraph(): string {
  const query = madeType('Query')
  const node = madeType('Node')
  for (const sub of OWNERS.keys()) {
    query.presence.set(sub, [])
    joinField(query, 'node', 'Node', { sub })
    node.presence.set(sub, [{ text: 'id', resolvable: true }])
    joinField(node, 'id', 'ID!', { sub })
  }
  for (const [index, owners] of OWNERS.entries())
    for (const sub of owners) {
      joinField(node, `n${index}`, 'Node', { sub })
      joinField(node, `f${index}`, 'String', { sub })
    }
  return printSupergraph(OWNERS.length, [query, node], [])
}

/** Each object is asked for the next four of the seven fields, in the order of the alphabet. */
export function manyPlansOperation(): string {
  const fours: number[][] = []
  for (let a = 0; a < 7; a++)
    for (let b = a + 1; b < 7; b++)
      for (let c = b + 1; c < 7; c++) for (let d = c + 1; d < 7; d++) fours.push([a, b, c, d])
  let next = 0
  const selection = (level: number): string => {
    const four = fours[next++ % fours.length] ?? []
    const fields = four.map((index) => (level === 0 ? `f${index}` : `n${index} ${selection(level - 1)}`))
    return `{ ${fields.join(' ')} }`
  }
  return `query { node ${selection(LEVELS)} }`
}
