/** The values of the enum `join__Graph`, one for each subgraph, made of its name. */

/** The values in the order of the names. Names that come to the same value are told apart by numbers. */
export function graphValues(names: readonly string[]): readonly string[] {
  const plain = names.map(plainValue)
  const counts = new Map<string, number>()
  for (const value of plain) counts.set(value, (counts.get(value) ?? 0) + 1)
  const taken = new Set(plain.filter((value) => counts.get(value) === 1))
  return plain.map((value) => {
    if (counts.get(value) === 1) return value
    let number = 1
    while (taken.has(`${value}_${String(number)}`)) number += 1
    const free = `${value}_${String(number)}`
    taken.add(free)
    return free
  })
}

/** `MY_GRAPH` of `my-graph`: a name of GraphQL that is no reserved word. */
function plainValue(name: string): string {
  const value = name.replaceAll(/\W/g, '_').toUpperCase()
  const named = /^[A-Z]/.test(value) ? value : `_${value}`
  return named.startsWith('__') ? `G${named}` : named
}
