/** An operation with everything taken away that a later part delivers. */
import { type GraphQLSchema, type OperationDefinitionNode, parse, print, visit } from 'graphql'
import { readUsages, type Selection } from '@switchyard/testkit'
import type { SuiteOperation } from '../harness/suite.ts'

/** Selects nothing, where something must be written. */
const NOTHING = '... @skip(if: true) { __typename }'

/**
 * Response keys that are selected outside of every fragment that is deferred, and the same of the objects
 * they lead to.
 */
type Plain = { readonly keys: Map<string, Plain> }

export function firstPartOnly(schema: GraphQLSchema, asked: SuiteOperation): SuiteOperation {
  const { variables = {} } = asked
  const { operation, selections } = readUsages({ schema, document: parse(asked.query), variables })
  const plain: Plain = { keys: new Map() }
  collectPlain(selections, plain)
  const body = textOf(selections, plain)
  const query = `${operation.operation} ${declarations(operation, body)} ${body}`
  return { ...asked, query: print(parse(query)) }
}

function collectPlain(selections: readonly Selection[], into: Plain): void {
  for (const selection of selections) {
    if (selection.kind === 'fragment') collectPlain(selection.children, into)
    else if (selection.usage === null) {
      const below = into.keys.get(selection.key) ?? { keys: new Map() }
      into.keys.set(selection.key, below)
      collectPlain(selection.children, below)
    }
  }
}

function textOf(selections: readonly Selection[], plain: Plain): string {
  const texts = selections.map((selection) => textOfOne(selection, plain)).filter((text) => text !== null)
  return `{ ${texts.length === 0 ? NOTHING : texts.join(' ')} }`
}

function textOfOne(selection: Selection, plain: Plain): string | null {
  if (selection.kind === 'fragment') {
    const inner = selection.children.map((child) => textOfOne(child, plain)).filter((text) => text !== null)
    const on = selection.condition === null ? '' : ` on ${selection.condition}`
    return inner.length === 0 ? null : `...${on} { ${inner.join(' ')} }`
  }
  const { node, key, usage, children } = selection
  const below = plain.keys.get(key)
  const isComposite = node.selectionSet !== undefined
  // The name of its type comes with the object, wherever that is asked for.
  if (usage !== null && node.name.value !== '__typename' && !(isComposite && below !== undefined)) return null
  const field = print({ ...node, directives: [], selectionSet: undefined })
  return isComposite ? `${field} ${textOf(children, below ?? { keys: new Map() })}` : field
}

/** Prints the definitions of the variables that are still used. */
function declarations({ variableDefinitions = [] }: OperationDefinitionNode, body: string): string {
  const used = new Set<string>()
  visit(parse(body), { Variable: ({ name }) => void used.add(name.value) })
  const left = variableDefinitions.filter(({ variable }) => used.has(variable.name.value))
  return left.length === 0 ? '' : `(${left.map((definition) => print(definition)).join(', ')})`
}
