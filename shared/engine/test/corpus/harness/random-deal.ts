/** Which subgraph resolves what, dealt at random from a tape of numbers. A shorter tape is a smaller graph. */

export type Member = {
  readonly name: string
  readonly type: string
  /** Subgraphs that resolve it. More than one: shareable. */
  readonly owners: readonly number[]
  /** Names of fields of the same type that it is computed from. */
  readonly requires: readonly string[]
  /** The composite type it leads to. */
  readonly target: string | null
  /** The subgraph that declares it too and is overridden. */
  readonly overrides: number | null
  /** It gives the first field of its target along that its subgraph does not have. */
  readonly provides: boolean
}

export type Entity = {
  readonly name: string
  readonly members: readonly Member[]
  /** Key fields per subgraph; each is a key of its own. */
  readonly keys: readonly (readonly string[])[]
}

export type Root = { readonly name: string; readonly type: string; readonly owner: number }

export type Deal = {
  readonly entities: readonly Entity[]
  readonly roots: readonly Root[]
  /** What each subgraph knows of `Value`. */
  readonly values: readonly string[]
  readonly hasNode: boolean
  readonly hasUnion: boolean
}

type Choose = (limit: number) => number

const KEYS = [['id'], ['code'], ['id', 'code'], ['id']] as const
const VALUES = ['x: Int y: String', 'x: Int', 'y: String'] as const

export function randomDeal(tape: readonly number[]): Deal {
  let position = 0
  const choose: Choose = (limit) => (tape[position++] ?? 0) % limit
  const subgraphs = 2 + choose(3)
  const names = Array.from({ length: 2 + choose(2) }, (_, index) => `T${index}`)
  const hasNode = choose(2) === 1
  const hasUnion = choose(2) === 1
  const targets = [...names, ...names, ...(hasNode ? ['Node'] : []), ...(hasUnion ? ['Any'] : [])]
  const entities = names.map((name) => dealEntity(name, choose, subgraphs, targets))
  const roots = names.map((type, index) => ({ name: `all${index}`, type, owner: choose(subgraphs) }))
  const values = Array.from({ length: subgraphs }, () => VALUES[choose(VALUES.length)] ?? VALUES[0])
  return { entities, roots, values, hasNode, hasUnion }
}

function dealEntity(name: string, choose: Choose, subgraphs: number, targets: readonly string[]): Entity {
  const members: Member[] = []
  const plain = { requires: [], target: null, overrides: null, provides: false }
  const deal = () => choose(subgraphs)
  for (let count = 2 + choose(3), index = 0; index < count; index++) {
    const owners = [...new Set(choose(4) === 3 ? [deal(), deal()] : [deal()])]
    const type = choose(2) === 0 ? 'Int' : 'String'
    const from = choose(5) === 4 ? deal() : null
    const overrides = from === null || owners.length > 1 || owners.includes(from) ? null : from
    members.push({ ...plain, name: `s${index}`, type, owners, overrides })
  }
  for (let count = choose(3), index = 0; index < count; index++) {
    const target = targets[choose(targets.length)] ?? 'T0'
    const type = choose(2) === 0 ? target : `[${target}]`
    members.push({ ...plain, name: `r${index}`, type, owners: [deal()], target, provides: choose(3) === 2 })
  }
  if (choose(3) === 2) {
    members.push({
      ...plain,
      name: 'v',
      type: 'Value',
      owners: [...new Set([deal(), deal()])],
      target: 'Value',
    })
  }
  for (let count = choose(3), index = 0; index < count; index++) {
    const at = deal()
    const inputs = members.filter(
      ({ target, owners, overrides }) => target === null && !owners.includes(at) && overrides !== at,
    )
    const requires = new Set([
      inputs[choose(inputs.length || 1)]?.name,
      inputs[choose(inputs.length || 1)]?.name,
    ])
    requires.delete(undefined)
    if (requires.size === 0) continue
    const names = [...requires].filter((input) => input !== undefined)
    members.push({ ...plain, name: `c${index}`, type: 'String', owners: [at], requires: names })
  }
  const keys = Array.from({ length: subgraphs }, () => KEYS[choose(KEYS.length)] ?? KEYS[0])
  return { name, members, keys }
}
