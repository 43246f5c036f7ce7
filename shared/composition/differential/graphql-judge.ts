/** The opinion of graphql-js on the schema of a subgraph: a judge that neither composer has a part in. */
import {
  buildASTSchema,
  buildSchema,
  isInputType,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  parse,
  print,
  validateInputLiteral,
  validateSchema,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql'

/**
 * Problems that federation takes away: directives come with a link, types are extended where they are not
 * defined, and a subgraph without root fields has an empty query type or none.
 */
const OF_FEDERATION =
  /^(?:Unknown directive |Unknown type "(?:federation__|link__|FieldSet)|Cannot extend type |Type Query must define one or more fields|Query root type must be provided)/

/** Whether graphql-js finds a mistake in the schema. */
export function isRefusedByGraphql(sdl: string): boolean {
  return problemsOfDefinitions(sdl) || problemsOfSchema(sdl) || hasWrongValue(sdl)
}

function problemsOfDefinitions(sdl: string): boolean {
  try {
    buildSchema(sdl)
    return false
  } catch (error) {
    const messages = error instanceof Error ? error.message.split('\n\n') : []
    return messages.some((message) => !OF_FEDERATION.test(message))
  }
}

function problemsOfSchema(sdl: string): boolean {
  const schema = schemaOf(sdl)
  return schema === null || validateSchema(schema).some(({ message }) => !OF_FEDERATION.test(message))
}

/** Whether a directive that the schema defines is given a value that its argument does not take. */
export function hasWrongValue(sdl: string, wanted?: string): boolean {
  const schema = schemaOf(sdl)
  if (schema === null) return true
  let isWrong = false
  visit(parse(sdl), {
    Directive: ({ name, arguments: given = [] }) => {
      if (wanted !== undefined && name.value !== wanted) return
      for (const argument of schema.getDirective(name.value)?.args ?? []) {
        const value = given.find((one) => one.name.value === argument.name)?.value
        if (value === undefined) continue
        if (!isInputType(argument.type)) isWrong = true
        else
          validateInputLiteral(value, argument.type, () => {
            isWrong = true
          })
      }
    },
  })
  return isWrong
}

function schemaOf(sdl: string): GraphQLSchema | null {
  try {
    return buildASTSchema(withBases(parse(sdl)), { assumeValidSDL: true })
  } catch {
    return null
  }
}

/** Makes definitions of extensions whose types are defined elsewhere, as federation allows it. */
function withBases(document: DocumentNode): DocumentNode {
  const known = new Set(
    document.definitions.flatMap((node) => (isTypeDefinitionNode(node) ? node.name.value : [])),
  )
  const definitions = document.definitions.flatMap((node) => {
    if (!isTypeExtensionNode(node) || known.has(node.name.value)) return node
    known.add(node.name.value)
    return parse(print(node).replace(/^extend /, '')).definitions
  })
  return { ...document, definitions }
}

/** Whether a schema defines the directive. */
export function definesDirective(sdl: string, name: string): boolean {
  return parse(sdl).definitions.some(
    (node: ASTNode) => node.kind === 'DirectiveDefinition' && node.name.value === name,
  )
}
