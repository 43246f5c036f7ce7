/**
 * The schemas that composition errors point into: without them an error has a place, but no line to look at.
 */
import { type CompositionReport, SubgraphSchema } from '@switchyard/contracts'
import { CliError } from '../run/errors.ts'
import { apiPath, type RegistryClient } from './registry-client.ts'

/** Schemas by subgraph, with the file of each that is known. */
export type SchemaSources = ReadonlyMap<string, { readonly sdl: string; readonly file?: string }>

/** The largest number of subgraphs whose schemas are fetched. Nobody reads errors of more at once. */
const MOST = 20

/**
 * Returns the schemas that errors point into. Files of the user (`known`) win. A schema that cannot be read
 * is left out, since its errors are shown without it.
 */
export async function schemaSources(
  reports: readonly CompositionReport[],
  namespace: string,
  registry: RegistryClient,
  known: SchemaSources = new Map(),
): Promise<SchemaSources> {
  const failed = reports.filter(({ status }) => status === 'failed')
  const names = failed.flatMap(({ errors }) =>
    errors.flatMap(({ locations }) => locations.map(({ subgraph }) => subgraph)),
  )
  const missing = [...new Set(names)].filter((name) => !known.has(name)).slice(0, MOST)
  const found = await Promise.all(missing.map((name) => readSchema(namespace, name, registry)))
  return new Map([...known, ...found.flatMap((schema) => (schema === null ? [] : [schema]))])
}

async function readSchema(namespace: string, name: string, registry: RegistryClient) {
  try {
    const path = apiPath('subgraphs', namespace, name, 'schema')
    const { sdl } = await registry.get(path, SubgraphSchema)
    return [name, { sdl }] as const
  } catch (error) {
    if (error instanceof CliError) return null
    throw error
  }
}
