/** Writes that are the same for subgraphs and feature subgraphs: they share one list of names. */
import type { WriteRequest } from '../command/command.ts'
import type { GivenSchema } from '../files/files.ts'
import { apiPath } from '../registry/registry-client.ts'

type NamedSubgraph = { readonly namespace: string; readonly argument: string }

/** `creation` is what the registry needs in case there is none of that name yet. */
export function publishRequest(
  { namespace, argument: name }: NamedSubgraph,
  schema: GivenSchema,
  creation: Readonly<Record<string, unknown>>,
): WriteRequest {
  return {
    method: 'PUT',
    path: apiPath('subgraphs', namespace, name, 'schema'),
    body: { sdl: schema.sdl, ...creation },
    sources: new Map([[name, schema]]),
  }
}

/** Returns the request that updates a subgraph. `changes` holds the members to change; the rest stays. */
export function updateRequest(
  { namespace, argument: name }: NamedSubgraph,
  changes: Readonly<Record<string, unknown>>,
): WriteRequest {
  return { method: 'PATCH', path: apiPath('subgraphs', namespace, name), body: changes }
}

/** Deletes a subgraph together with the feature subgraphs that replace it. */
export function deleteRequest({ namespace, argument: name }: NamedSubgraph): WriteRequest {
  return { method: 'DELETE', path: apiPath('subgraphs', namespace, name), body: {} }
}
