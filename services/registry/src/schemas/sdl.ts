/** Whether a text is SDL at all. What it means in a graph is composition's business. */
import { MAX_SDL_BYTES, type Problem, problem } from '@switchyard/contracts'
import { GraphQLError, isTypeSystemDefinitionNode, isTypeSystemExtensionNode, parse } from 'graphql'

export type NamedSdl = {
  /** The name of the subgraph. */
  readonly name: string
  readonly sdl: string
}

/** Null for SDL that can be kept. Takes seconds for megabytes: see SdlChecker. */
export function sdlProblem(name: string, sdl: string): Problem | null {
  if (sdl.trim() === '') {
    return problem('SCHEMA_INVALID', `The schema of "${name}" is empty, so nothing was published.`)
  }
  try {
    if (parse(sdl, { noLocation: true }).definitions.every(isTypeSystem)) return null
    const start = parse(sdl).definitions.find((node) => !isTypeSystem(node))?.loc?.startToken
    const message = 'A schema holds type definitions only; here stands an operation or a fragment.'
    return invalid(name, message, { line: start?.line ?? 1, column: start?.column ?? 1 })
  } catch (error) {
    if (error instanceof GraphQLError) {
      return invalid(name, error.message, error.locations?.[0] ?? { line: 1, column: 1 })
    }
    // What the parser says when its stack is used up: no schema that anybody wrote gets there.
    if (error instanceof RangeError) return invalid(name, 'It is nested too deeply.', { line: 1, column: 1 })
    throw error
  }
}

/** Null for SDL that is not too large. */
export function sdlSizeProblem(name: string, bytes: number): Problem | null {
  if (bytes <= MAX_SDL_BYTES) return null
  return problem(
    'PAYLOAD_TOO_LARGE',
    `The schema of "${name}" has ${bytes} bytes; the limit is ${MAX_SDL_BYTES} (8 MiB). Nothing was published.`,
  )
}

function isTypeSystem(node: Parameters<typeof isTypeSystemDefinitionNode>[0]): boolean {
  return isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node)
}

function invalid(name: string, message: string, at: { line: number; column: number }): Problem {
  return problem(
    'SCHEMA_INVALID',
    `The schema of "${name}" is not valid SDL, so nothing was published. ${name}:${at.line}:${at.column}: ${message}`,
    { locations: [{ line: at.line, column: at.column, message }] },
  )
}
