/**
 * Mutations of inputs. fast-check draws what to do, as numbers between 0 and 1 that mean a place in whatever
 * tree they are applied to, so that what is drawn does not depend on what was measured before; the grammar of
 * a target says what fits where.
 */
import {
  type Arbitrary,
  array,
  bigInt,
  constantFrom,
  integer,
  noBias,
  oneof,
  record,
  string,
  tuple,
} from 'fast-check'
import { listsOf, nodeAt, nodeOn, type Path, replaced, sizeOf, spliced, type Tree } from './tree.ts'

export type Grammar = {
  /** Returns the category of a kind. Nodes of one category may replace each other, such as all values. */
  readonly categoryOf: (kind: string) => string
  /** The category of a list's items, by the name of the list. */
  readonly lists: Readonly<Record<string, string>>
  /** Nodes that can be put anywhere, by their category. */
  readonly vocabulary: Readonly<Record<string, readonly Tree[]>>
  readonly words: readonly string[]
  /** Returns a copy that does not collide with others, such as a field with another alias. */
  readonly numbered: (node: Tree, number: number) => Tree
  /** Returns a node with another text: a name, a number or a string. Null if the node has no text. */
  readonly withText: (node: Tree, text: string) => Tree | null
}

/** Something put between the characters of an input, such as a million line breaks. */
export type Stuffing = { readonly at: number; readonly text: string; readonly count: number }

export type Input = {
  readonly tree: Tree
  readonly stuffing: readonly Stuffing[]
  /** Which seed it descends from. */
  readonly seed: string
}

const KINDS = [
  'repeat',
  'number',
  'nest',
  'splice',
  'insert',
  'insert',
  'remove',
  'rename',
  'text',
  'stuff',
  'unstuff',
] as const

export type Step = {
  readonly kind: (typeof KINDS)[number]
  /** Numbers from 0 to 1 that choose the node to change, and the node to change it with. */
  readonly at: number
  readonly other: number
  readonly count: number
  readonly text: string
}

/** Uniform from 0 to 1; numbers of fast-check prefer the ends. */
export const fraction = noBias(integer({ min: 0, max: 2 ** 31 - 1 })).map((number) => number / 2 ** 31)
const count = oneof(
  { arbitrary: integer({ min: 1, max: 4 }), weight: 4 },
  { arbitrary: integer({ min: 5, max: 100 }), weight: 4 },
  { arbitrary: integer({ min: 100, max: 3000 }), weight: 3 },
  { arbitrary: integer({ min: 3000, max: 100_000 }), weight: 1 },
)
const text = oneof(
  { arbitrary: string({ maxLength: 12, unit: 'grapheme' }), weight: 2 },
  { arbitrary: integer().map(String), weight: 1 },
  { arbitrary: bigInt().map(String), weight: 1 },
  {
    arbitrary: constantFrom('12345678901234567890', '1e400', '-0', '0.1', '1E-7', '9007199254740993'),
    weight: 1,
  },
  {
    arbitrary: tuple(
      constantFrom('a', '_', '\\', '"', '\n', '\u2028', '🂡', '\u0000', '--graphql', '9'),
      count,
    ).map(([unit, times]) => unit.repeat(times)),
    weight: 2,
  },
)

/** The random changes of one input before it is tried. */
export const mutation: Arbitrary<readonly Step[]> = array(
  record({ kind: constantFrom(...KINDS), at: fraction, other: fraction, count, text }),
  { minLength: 1, maxLength: 5 },
)

const UNITS = [
  '\n',
  '\r',
  ' ',
  ',',
  '\t',
  '#\n',
  '\ufeff',
  '"',
  '\\',
  '{',
  '[',
  '(',
  '\u0000',
  '#x\r\n',
  '0',
  '9',
  '""',
]

/** Roughly the number of bytes of a node, the part of an input. */
const BYTES_PER_NODE = 4

export type Surroundings = {
  readonly grammar: Grammar
  /** Some other input, by a number from 0 to 1. */
  readonly others: (at: number) => Tree
  readonly room: number
}

/**
 * Changes an input. Steps that would make it larger than `room` bytes are left out, unless it was as large
 * before.
 */
export function mutated(
  input: Input,
  steps: readonly Step[],
  { grammar, others, room }: Surroundings,
): Input {
  let { tree, stuffing } = input
  for (const step of steps) {
    if (step.kind === 'stuff') {
      const unit =
        step.text.length > 0 && step.text.length < 8
          ? step.text
          : UNITS[Math.floor(step.other * UNITS.length)]
      stuffing = [
        ...stuffing.slice(-3),
        { at: step.at, text: unit ?? '\n', count: Math.min(step.count, room) },
      ]
    } else if (step.kind === 'unstuff') stuffing = stuffing.slice(1)
    else {
      const most = Math.max(sizeOf(tree), Math.ceil(room / BYTES_PER_NODE))
      const changed = changedTree(tree, step, { grammar, others, most })
      if (sizeOf(changed) <= most) tree = changed
    }
  }
  return { tree, stuffing, seed: input.seed }
}

type Means = Pick<Surroundings, 'grammar' | 'others'> & {
  /** Nodes of the result. */
  readonly most: number
}

function changedTree(tree: Tree, step: Step, means: Means): Tree {
  const { grammar, others } = means
  const number = Math.floor(step.at * sizeOf(tree))
  const { node, path } = nodeAt(tree, number)
  switch (step.kind) {
    case 'repeat':
    case 'number':
      return repeated(tree, path, step, means)
    case 'nest':
      return nested(tree, path, step, means)
    case 'splice': {
      const donor = partOf(others(step.other), grammar.categoryOf(node.kind), step.other, grammar)
      return donor === null ? tree : replaced(tree, path, donor)
    }
    case 'insert':
      return inserted(tree, node, path, step, means)
    case 'remove': {
      const last = path.at(-1)
      if (last?.index == null) return tree
      return spliced(tree, { path: path.slice(0, -1), part: last.part }, last.index, 1, [])
    }
    case 'rename':
    case 'text': {
      const word = grammar.words[Math.floor(step.other * grammar.words.length)] ?? ''
      const changed = grammar.withText(node, step.kind === 'rename' ? word : step.text)
      return changed === null ? tree : replaced(tree, path, changed)
    }
    default:
      return tree
  }
}

/** Repeats the nearest node around that stands in a list. */
function repeated(tree: Tree, path: Path, step: Step, { grammar, most }: Means): Tree {
  let depth = path.length
  while (depth > 0 && path[depth - 1]?.index === null) depth--
  const last = path[depth - 1]
  if (last?.index == null) return tree
  const node = nodeOn(tree, path.slice(0, depth))
  const times = Math.min(step.count, Math.max(1, Math.floor((most - sizeOf(tree)) / sizeOf(node))))
  const copies = Array.from({ length: times }, (_, index) =>
    step.kind === 'number' ? grammar.numbered(node, index) : node,
  )
  return spliced(tree, { path: path.slice(0, depth - 1), part: last.part }, last.index, 0, copies)
}

/** Nests a node: repeats everything between it and an outer node of the same category inside itself. */
function nested(tree: Tree, path: Path, step: Step, { grammar, most }: Means): Tree {
  const category = grammar.categoryOf(nodeOn(tree, path).kind)
  const above = path
    .map((_, length) => path.slice(0, length))
    .filter((outer) => grammar.categoryOf(nodeOn(tree, outer).kind) === category)
  const outer = above[Math.floor(step.other * above.length)]
  if (outer === undefined) return tree
  const frame = nodeOn(tree, outer)
  const inner = path.slice(outer.length)
  let result = nodeOn(tree, path)
  for (let time = 0; time < Math.min(step.count, 5000); time++) {
    result = replaced(frame, inner, result)
    if (sizeOf(result) > most) return tree
  }
  return replaced(tree, outer, result)
}

function inserted(tree: Tree, node: Tree, path: Path, step: Step, { grammar, others }: Means): Tree {
  const parts = listsOf(node, grammar.lists)
  const part = parts[Math.floor(step.other * parts.length)]
  if (part === undefined) return tree
  const category = grammar.lists[part] ?? ''
  const known = grammar.vocabulary[category] ?? []
  const word = known[Math.floor(((step.other * 7919) % 1) * known.length)]
  const donor = step.count % 3 === 0 ? partOf(others(step.other), category, step.other, grammar) : word
  if (donor == null) return tree
  const list = node[part]
  const length = Array.isArray(list) ? list.length : 0
  return spliced(tree, { path, part }, Math.floor(step.other * (length + 1)), 0, [donor])
}

const TRIES = 12

/** Some node of a category. */
function partOf(tree: Tree, category: string, seed: number, { categoryOf }: Grammar): Tree | null {
  const size = sizeOf(tree)
  for (let time = 0; time < TRIES; time++) {
    const place = (seed * (time + 1) * 7919) % 1
    const { node } = nodeAt(tree, Math.floor(place * size))
    if (categoryOf(node.kind) === category) return node
  }
  return null
}

/** Returns `text` with the stuffing between its characters. */
export function stuffed(text: string, stuffing: readonly Stuffing[], maxLength: number): string {
  let result = text
  for (const { at, text: unit, count } of stuffing) {
    const times = Math.min(count, Math.floor((maxLength - result.length) / unit.length))
    if (times < 1) continue
    const place = Math.floor(at * result.length)
    result = result.slice(0, place) + unit.repeat(times) + result.slice(place)
  }
  return result
}
