import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, parse, Source } from 'graphql'
import { exceeded, type OperationLimits } from './limits.ts'
import { RequestError } from './operation-error.ts'
import { lineBreaks, SourceLines } from './source-lines.ts'

/** A document, and where its lines begin. */
export type ParsedDocument = { readonly document: DocumentNode; readonly lines: SourceLines }

/** Nobody writes as many; a place in the document is told by counting them. */
const MAX_LINES = 100_000

/** Throws a `RequestError` if the text is no document, or beyond a limit. */
export function parseDocument(text: string, limits: OperationLimits): ParsedDocument {
  if (lineBreaks(text, MAX_LINES) >= MAX_LINES)
    throw exceeded(`The document has more than the ${MAX_LINES} lines allowed.`)
  if (text.length > limits.length)
    throw exceeded(`The document has more than the ${limits.length} characters allowed.`)
  const source = new Source(text)
  try {
    const document = parse(source, { maxTokens: limits.tokens })
    // graphql-js looks for the place of each error that it makes, also of those that nobody gets to see: now
    // it finds it at once.
    source.body = ''
    return { document, lines: new SourceLines(text) }
  } catch (error) {
    if (error instanceof RangeError) throw exceeded('The document nests deeper than can be parsed.')
    if (!(error instanceof GraphQLError)) throw error
    if (error.message.includes(`more than ${limits.tokens} tokens`))
      throw exceeded(`The document has more than the ${limits.tokens} tokens allowed.`)
    throw new RequestError('parse', 'GRAPHQL_PARSE_FAILED', [error])
  }
}

/** GetOperation() of the specification, https://spec.graphql.org/draft/#GetOperation() */
export function selectOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (operationName === null || operationName === undefined || operationName === '') {
    const [only, second] = operations
    if (only === undefined) throw unresolved('The document holds no operation to execute.')
    if (second !== undefined)
      throw unresolved(
        `The document holds several operations (${namesOf(operations)}); \`operationName\` must say which one to execute.`,
      )
    return only
  }
  const found = operations.find(({ name }) => name?.value === operationName)
  if (found === undefined)
    throw unresolved(
      `The document holds no operation named "${operationName}" (it holds: ${namesOf(operations)}).`,
    )
  return found
}

const MAX_NAMES = 5

function namesOf(operations: readonly OperationDefinitionNode[]): string {
  const names = operations.map(({ name }) => name?.value ?? 'one without a name')
  const more = names.length > MAX_NAMES ? [`${names.length - MAX_NAMES} more`] : []
  return [...names.slice(0, MAX_NAMES), ...more].join(', ') || 'none'
}

function unresolved(message: string): RequestError {
  return new RequestError('operation', 'OPERATION_RESOLUTION_FAILURE', [message])
}
