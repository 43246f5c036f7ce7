import {
  CreatePreview,
  type PreviewSubgraph,
  ProblemError,
  ReasonOnly,
  UpdatePreview,
} from '@switchyard/contracts'
import { type ApiOptions, NamespacePath, PreviewPath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'
import { freshSalt } from './rollout-commands.ts'
import { keepSchema, PUBLISH_BODY_LIMIT, schemaProblem } from './subgraph-commands.ts'

type SentSubgraph = { readonly subgraph: string; readonly routingUrl: string; readonly sdl: string }

export function previewCommands({ add }: CommandRoutes, options: ApiOptions): void {
  /** Every schema is checked before any of them is stored. */
  const kept = async (namespace: string, sent: readonly SentSubgraph[]): Promise<PreviewSubgraph[]> => {
    for (const { subgraph, sdl } of sent) {
      const refusal = await schemaProblem(options, namespace, subgraph, sdl)
      if (refusal !== null) throw new ProblemError(refusal)
    }
    return Promise.all(
      sent.map(async ({ subgraph: base, routingUrl, sdl }) => {
        const { sha256: schema, bytes } = await keepSchema(options, sdl)
        return { base, routingUrl, schema, bytes }
      }),
    )
  }
  add({
    method: 'POST',
    url: '/v1/previews/:namespace',
    summary:
      'Create a preview: a composition with other subgraphs in the place of some, which ends by itself',
    params: NamespacePath,
    body: CreatePreview,
    bodyLimit: PUBLISH_BODY_LIMIT,
    permission: 'preview',
    command: async ({ params: { namespace }, body }) => ({
      type: 'create-preview',
      ...body,
      subgraphs: await kept(namespace, body.subgraphs),
      freshSalt: freshSalt(),
      now: options.now(),
    }),
  })
  add({
    method: 'PATCH',
    url: '/v1/previews/:namespace/:name',
    summary: 'Replace, add or take away subgraphs of a preview, or let it live longer',
    params: PreviewPath,
    body: UpdatePreview,
    bodyLimit: PUBLISH_BODY_LIMIT,
    permission: 'preview',
    command: async ({ params: { namespace, name }, body: { subgraphs, without, ttlSeconds } }) => ({
      type: 'update-preview',
      name,
      ...(subgraphs === undefined ? {} : { subgraphs: await kept(namespace, subgraphs) }),
      ...(without === undefined ? {} : { without }),
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      now: options.now(),
    }),
  })
  add({
    method: 'DELETE',
    url: '/v1/previews/:namespace/:name',
    summary: 'Delete a preview',
    params: PreviewPath,
    body: ReasonOnly,
    permission: 'preview',
    command: ({ params }) => ({ type: 'delete-preview', name: params.name }),
  })
}
