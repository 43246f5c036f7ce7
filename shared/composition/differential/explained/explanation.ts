/** Statements that one composer makes and the other does not, and what an explanation of one is. */
import type { Difference } from '../compare.ts'

export type ErrorStatement = {
  readonly kind: 'error'
  readonly by: 'us' | 'them'
  readonly code: string
  readonly message: string
  /** The subgraph that the message names first; null if the error is about several. */
  readonly subgraph: string | null
}

export type FactStatement = {
  readonly kind: 'fact'
  readonly by: 'us' | 'them'
  readonly fact: string
  /** The element that the fact is about: `Type`, `Type.field` or `directive`. */
  readonly coordinate: string
  /** The subgraph that the fact is about; null if it is about what clients see. */
  readonly subgraph: string | null
  /** The rest of the fact, after the element and the subgraph. */
  readonly words: string
}

export type StopStatement = { readonly kind: 'stop'; readonly by: 'them'; readonly message: string }

export type Statement = ErrorStatement | FactStatement | StopStatement

/** A class of differences. */
export type Explanation<S extends Statement = Statement> = {
  readonly name: string
  /** Why we are right, or why both are. */
  readonly why: string
  readonly explains: (statement: S, difference: Difference) => boolean
}

/** Everything that one of the two says alone. */
export function statementsOf(difference: Difference): readonly Statement[] {
  const { ours, theirs, onlyOurs, onlyTheirs } = difference
  if (theirs.kind === 'stopped') return [{ kind: 'stop', by: 'them', message: theirs.message }]
  if (ours.kind === 'composed' && theirs.kind === 'composed')
    return [
      ...onlyOurs.map((fact) => factStatement('us', fact)),
      ...onlyTheirs.map((fact) => factStatement('them', fact)),
    ]
  return [
    ...(ours.kind === 'failed' ? errorStatements('us', ours.errors, onlyOurs) : []),
    ...(theirs.kind === 'failed' ? errorStatements('them', theirs.errors, onlyTheirs) : []),
  ]
}

function errorStatements(
  by: 'us' | 'them',
  errors: readonly { readonly code: string; readonly message: string }[],
  codes: readonly string[],
): readonly ErrorStatement[] {
  return errors
    .filter(({ code }) => codes.includes(code))
    .map(({ code, message }) => ({
      kind: 'error',
      by,
      code,
      message,
      subgraph: /^\[([^\]]*)\] /.exec(message)?.[1] ?? null,
    }))
}

const DIRECTIVE_DEFINITION = /^directive (@\w+)/
const IN_SUBGRAPH = /^(\S+) @([^\s(]+)(?: (.*))?$/s
const OF_CLIENTS = /^([\w.]+)(.*)$/s

function factStatement(by: 'us' | 'them', fact: string): FactStatement {
  const [, directive] = DIRECTIVE_DEFINITION.exec(fact) ?? []
  if (directive !== undefined)
    return { kind: 'fact', by, fact, coordinate: directive, subgraph: null, words: fact }
  const [, coordinate = '', subgraph = null, words = ''] = IN_SUBGRAPH.exec(fact) ?? []
  if (subgraph !== null && coordinate !== '') return { kind: 'fact', by, fact, coordinate, subgraph, words }
  const [, element = '', rest = ''] = OF_CLIENTS.exec(fact) ?? []
  return { kind: 'fact', by, fact, coordinate: element, subgraph: null, words: rest.trim() }
}
