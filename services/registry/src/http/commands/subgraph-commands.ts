/**
 * Commands on subgraphs and feature subgraphs. They are created under different paths, and changed under the
 * same.
 */
import {
  CreateFeatureSubgraph,
  CreateSubgraph,
  MAX_SDL_BYTES,
  type Problem,
  ProblemError,
  PublishSchema,
  ReasonOnly,
  UpdateSubgraph,
} from '@switchyard/contracts'
import type { PublishedSchema } from '@switchyard/domain'
import { sdlSizeProblem } from '../../schemas/sdl.ts'
import { type ApiOptions, NamespacePath, ResourcePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

/**
 * A schema grows in JSON, where line ends and quotes take two characters. The size of the SDL itself is
 * checked later.
 */
export const PUBLISH_BODY_LIMIT = 3 * MAX_SDL_BYTES

/** Why this text cannot be published as a schema, or null. */
export async function schemaProblem(
  { sdl: checker }: ApiOptions,
  namespace: string,
  name: string,
  sdl: string,
): Promise<Problem | null> {
  return sdlSizeProblem(name, Buffer.byteLength(sdl)) ?? (await checker.check(namespace, name, sdl))
}

/**
 * Stores a schema, which has to be there before the record that refers to it. If the command is refused, the
 * blob sweep removes the schema later.
 */
export async function keepSchema({ blobs }: ApiOptions, sdl: string): Promise<PublishedSchema> {
  const bytes = Buffer.from(sdl)
  return { sha256: await blobs.put(bytes), bytes: bytes.length }
}

export function subgraphCommands({ add }: CommandRoutes, options: ApiOptions): void {
  add({
    method: 'POST',
    url: '/v1/subgraphs/:namespace',
    summary: 'Create a subgraph',
    params: NamespacePath,
    body: CreateSubgraph,
    command: ({ body }) => ({ type: 'create-subgraph', ...body }),
  })
  add({
    method: 'PATCH',
    url: '/v1/subgraphs/:namespace/:name',
    summary: 'Change the routing URL or labels of a subgraph, or the routing URL of a feature subgraph',
    params: ResourcePath,
    body: UpdateSubgraph,
    command: ({ params, body: { routingUrl, labels } }) => ({
      type: 'update-subgraph',
      name: params.name,
      ...(routingUrl === undefined ? {} : { routingUrl }),
      ...(labels === undefined ? {} : { labels }),
    }),
  })
  add({
    method: 'DELETE',
    url: '/v1/subgraphs/:namespace/:name',
    summary: 'Delete a feature subgraph, or a subgraph with the feature subgraphs that replace it',
    params: ResourcePath,
    body: ReasonOnly,
    command: ({ params }) => ({ type: 'delete-subgraph', name: params.name }),
  })
  add({
    method: 'PUT',
    url: '/v1/subgraphs/:namespace/:name/schema',
    summary: 'Publish a schema to a subgraph or feature subgraph',
    params: ResourcePath,
    body: PublishSchema,
    bodyLimit: PUBLISH_BODY_LIMIT,
    permission: 'publish',
    command: async ({ params: { namespace, name }, body: { sdl, routingUrl, labels, subgraph } }) => {
      const refusal = await schemaProblem(options, namespace, name, sdl)
      if (refusal !== null) throw new ProblemError(refusal)
      const { sha256: schema, bytes } = await keepSchema(options, sdl)
      return {
        type: 'publish-schema',
        name,
        schema,
        bytes,
        ...(routingUrl === undefined ? {} : { routingUrl }),
        ...(labels === undefined ? {} : { labels }),
        ...(subgraph === undefined ? {} : { base: subgraph }),
      }
    },
  })
  add({
    method: 'POST',
    url: '/v1/feature-subgraphs/:namespace',
    summary: 'Create a feature subgraph',
    params: NamespacePath,
    body: CreateFeatureSubgraph,
    command: ({ body: { name, routingUrl, subgraph } }) => ({
      type: 'create-feature-subgraph',
      name,
      routingUrl,
      base: subgraph,
    }),
  })
}
