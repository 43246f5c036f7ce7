/** The composition library that others use, as a tool to compare with. */
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'

/** The supergraph that the library makes; null if it refuses the subgraphs or stops. */
export function composeByLibrary(
  sdls: Readonly<Record<string, string>>,
  disableValidationRules: string[] = [],
): string | null {
  const services = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    url: `http://${encodeURIComponent(name)}/`,
    typeDefs: parse(sdl),
  }))
  try {
    return composeServices(services, { disableValidationRules }).supergraphSdl ?? null
  } catch {
    return null
  }
}
