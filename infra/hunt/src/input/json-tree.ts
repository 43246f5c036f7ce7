/**
 * JSON as a tree that keeps what a value of JavaScript does not: repeated keys, how texts are escaped, all
 * digits.
 */
import type { Tree } from './tree.ts'

export const JSON_LISTS = { members: 'member', items: 'json' } as const

export function isJson(kind: string): boolean {
  return kind === 'JsonObject' || kind === 'JsonList' || kind === 'JsonScalar'
}

export function jsonTree(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'JsonList', items: value.map(jsonTree) }
  if (typeof value === 'object' && value !== null)
    return {
      kind: 'JsonObject',
      members: Object.entries(value).map(([name, member]) => jsonMember(name, jsonTree(member))),
    }
  return scalar(JSON.stringify(value ?? null))
}

export function jsonMember(name: string, value: Tree): Tree {
  return { kind: 'JsonMember', name: JSON.stringify(name), value }
}

/** Returns a scalar. `text` is its text in JSON. */
export function scalar(text: string): Tree {
  return { kind: 'JsonScalar', text }
}

/**
 * A text of digits becomes a number, of a list or object its first scalar. Another one is escaped, now and
 * then more than it has to be.
 */
export function withJsonText(node: Tree, text: string): Tree | null {
  if (node.kind === 'JsonMember') return { ...node, name: quoted(text) }
  if (node.kind !== 'JsonScalar') return null
  return scalar(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? text : quoted(text))
}

function quoted(text: string): string {
  if (text.length % 5 !== 4) return JSON.stringify(text)
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}

export function numberedJson(node: Tree, number: number): Tree {
  if (node.kind === 'JsonMember') return { ...node, name: `"k${number}"` }
  return node.kind === 'JsonScalar' ? scalar(number % 2 === 0 ? String(number) : `"${number}"`) : node
}

/**
 * Prints JSON without recursion, since inputs nest deeper than calls can. Cuts off text beyond the length.
 */
export function printJson(tree: Tree, maxLength: number): string {
  const parts: string[] = []
  let length = 0
  const waiting: (Tree | string)[] = [tree]
  for (let next = waiting.pop(); next !== undefined && length < maxLength; next = waiting.pop()) {
    const opened = typeof next === 'string' ? [next] : opening(next)
    const [text] = opened
    if (typeof text === 'string') {
      parts.push(text)
      length += text.length
    }
    for (let index = opened.length - 1; index > 0; index--) {
      const part = opened[index]
      if (part !== undefined) waiting.push(part)
    }
  }
  return parts.join('').slice(0, maxLength)
}

/** The text that a node begins with, and what comes after it. */
function opening(node: Tree): readonly (Tree | string)[] {
  const { members, items, value } = node as { members?: Tree[]; items?: Tree[]; value?: Tree }
  switch (node.kind) {
    case 'JsonObject':
      return ['{', ...separated(members ?? []), '}']
    case 'JsonList':
      return ['[', ...separated(items ?? []), ']']
    case 'JsonMember':
      return [`${String(node['name'])}:`, value ?? 'null']
    default:
      return [String(node['text'])]
  }
}

function separated(nodes: readonly Tree[]): readonly (Tree | string)[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [',', node]))
}
