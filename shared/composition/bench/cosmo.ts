/**
 * Composes with `@wundergraph/composition`, as the platform Cosmo does. It comes with an older graphql-js,
 * which has to parse what it reads.
 */
import { createRequire } from 'node:module'
import type { SubgraphInput } from '@switchyard/composition'
import { federateSubgraphs, ROUTER_COMPATIBILITY_VERSION_ONE } from '@wundergraph/composition'

type Federated = Parameters<typeof federateSubgraphs>[0]['subgraphs'][number]
type ItsGraphql = { readonly parse: (sdl: string) => Federated['definitions'] }

/** Returns the work of one composition. It throws if the subgraphs do not compose. */
export function byCosmo(subgraphs: readonly SubgraphInput[]): () => void {
  const require = createRequire(import.meta.url)
  const { parse }: ItsGraphql = createRequire(require.resolve('@wundergraph/composition'))('graphql')
  return () => {
    const result = federateSubgraphs({
      subgraphs: subgraphs.map(({ name, routingUrl, sdl }) => ({
        name,
        url: routingUrl,
        definitions: parse(sdl),
      })),
      version: ROUTER_COMPATIBILITY_VERSION_ONE,
    })
    if (!result.success) throw new Error(result.errors[0]?.message)
  }
}
