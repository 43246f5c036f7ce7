/** Whether a text is SDL at all. What it means in a graph is composition's business. */
import { MAX_SDL_BYTES, type Problem, problem } from '@switchyard/contracts'
import { GraphQLError, isTypeSystemDefinitionNode, isTypeSystemExtensionNode, parse } from 'graphql'

/** Null for SDL that can be kept. */
export function sdlProblem(name: string, sdl: string, bytes: number): Problem | null {
  if (bytes > MAX_SDL_BYTES) {
    return problem(
      'PAYLOAD_TOO_LARGE',
      `The schema of "${name}" has ${bytes} bytes; the limit is ${MAX_SDL_BYTES} (8 MiB). Nothing was published.`,
    )
  }
  if (sdl.trim() === '') {
    return problem('SCHEMA_INVALID', `The schema of "${name}" is empty, so nothing was published.`)
  }
  try {
    const document = parse(sdl)
    const stranger = document.definitions.find(
      (node) => !isTypeSystemDefinitionNode(node) && !isTypeSystemExtensionNode(node),
    )
    if (stranger === undefined) return null
    const start = stranger.loc?.startToken
    return invalid(name, 'A schema holds type definitions only; here stands an operation or a fragment.', {
      line: start?.line ?? 1,
      column: start?.column ?? 1,
    })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return invalid(name, error.message, error.locations?.[0] ?? { line: 1, column: 1 })
  }
}

function invalid(name: string, message: string, at: { line: number; column: number }): Problem {
  return problem(
    'SCHEMA_INVALID',
    `The schema of "${name}" is not valid SDL, so nothing was published. ${name}:${at.line}:${at.column}: ${message}`,
    { locations: [{ line: at.line, column: at.column, message }] },
  )
}
