/** Reasons for which a field has no events on this router. */
import type { EventSource } from '@switchyard/engine'
import type { SubgraphErrorCode } from '../errors/subgraph-errors.ts'

type Providers = { get(id: string): unknown }

/** The reason, as clients may read it; null if the field is served. */
export function brokerRefusal(
  subgraph: string,
  { system, provider, field }: EventSource,
  providers: Providers,
): { readonly code: SubgraphErrorCode; readonly message: string } | null {
  if (system !== 'nats')
    return {
      code: 'EVENT_SOURCE_NOT_SERVED',
      message: `The events of ${field} come from a system that this router does not read (subgraph "${subgraph}").`,
    }
  if (providers.get(provider) !== undefined) return null
  return {
    code: 'EVENT_PROVIDER_MISSING',
    message: `The events of ${field} have a provider that this router does not know (subgraph "${subgraph}").`,
  }
}
