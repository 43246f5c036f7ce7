/** The composition library that others use, as a tool to compare with. */
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'

export type LibraryResult =
  | { readonly kind: 'composed'; readonly supergraphSdl: string }
  | { readonly kind: 'failed'; readonly errors: readonly LibraryError[] }
  /** The library threw an exception. */
  | { readonly kind: 'stopped'; readonly message: string }

export type LibraryError = { readonly code: string; readonly message: string }

/** Composes by the library. Every schema must parse. */
export function askLibrary(
  sdls: Readonly<Record<string, string>>,
  disableValidationRules: string[] = [],
): LibraryResult {
  const services = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    url: `http://${encodeURIComponent(name)}/`,
    typeDefs: parse(sdl),
  }))
  try {
    const { supergraphSdl, errors = [] } = composeServices(services, { disableValidationRules })
    if (supergraphSdl !== undefined) return { kind: 'composed', supergraphSdl }
    return {
      kind: 'failed',
      errors: errors.map(({ message, extensions }) => ({ code: String(extensions['code']), message })),
    }
  } catch (error) {
    return { kind: 'stopped', message: error instanceof Error ? error.message : String(error) }
  }
}

/** The supergraph that the library makes; null if it refuses the subgraphs or stops. */
export function composeByLibrary(
  sdls: Readonly<Record<string, string>>,
  disableValidationRules: string[] = [],
): string | null {
  const result = askLibrary(sdls, disableValidationRules)
  return result.kind === 'composed' ? result.supergraphSdl : null
}
