/**
 * Replaces variables of the environment in the values of a settings file: `${NAME}`, or `${NAME:-default}`
 * for a variable that may be unset. `$${` stands for `${` itself. A variable that is set to an empty text
 * counts as unset, as everywhere.
 *
 * The text of a variable is only ever part of one value: it cannot add a key, a list or a comment to the
 * file.
 */
import type { Environment } from '@switchyard/service-kit'
import { type Document, isScalar, parseDocument, type Scalar, visit } from 'yaml'

/** The characters of the file at which something is wrong, counted from 0, and what it is. */
export type ExpansionProblem = { readonly offset: number; readonly message: string }

/** The result of an expansion. */
export type Expanded = {
  readonly problems: readonly ExpansionProblem[]
  /** Returns the names of the variables that a value is made from. `node` is a node of the document. */
  readonly variablesOf: (node: unknown) => readonly string[]
}

/** `$${`, or `${NAME}`, or `${NAME:-default}`, or a `${` that is none of them. */
const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/g

/** Replaces the values in `document`. Keys remain as they are written, as do the nodes `left`. */
export function expandVariables(
  document: Document,
  env: Environment,
  left: readonly unknown[] = [],
): Expanded {
  const problems: ExpansionProblem[] = []
  const variables = new Map<unknown, readonly string[]>()
  visit(document, {
    Collection: (_, node) => (left.includes(node) ? visit.SKIP : undefined),
    Scalar(key, node) {
      if (left.includes(node)) return
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return
      const offset = node.range?.[0] ?? 0
      const names: string[] = []
      const text = node.value.replaceAll(REFERENCE, (reference, name?: string, fallback?: string) => {
        if (reference === '$${') return '${'
        if (name === undefined) problems.push({ offset, message: NOT_A_REFERENCE })
        else if (!env[name] && fallback === undefined) problems.push({ offset, message: unset(name) })
        else if (env[name]) names.push(name)
        return (name === undefined ? undefined : env[name] || fallback) ?? ''
      })
      node.value = node.type === 'PLAIN' ? plainValue(text) : text
      variables.set(node, names)
    },
  })
  return { problems, variablesOf: (node) => variables.get(node) ?? [] }
}

/** A value without quotation marks is a number, true, false or null if it looks like one, as in any YAML. */
function plainValue(text: string): Scalar['value'] {
  const { contents, errors } = parseDocument(text)
  return errors.length === 0 && isScalar(contents) && contents.source === text ? contents.value : text
}

const NOT_A_REFERENCE =
  'a "${" is followed by no name of a variable and "}": expected ${NAME} or ${NAME:-default}; "${" itself is written $${'

function unset(name: string): string {
  return `the variable ${name} is not set: expected it in the environment, or a default, as in \${${name}:-value}`
}
