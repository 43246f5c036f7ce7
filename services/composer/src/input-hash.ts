/** The hash of everything that a composition depends on: equal hash, equal result. */
import { createHash } from 'node:crypto'
import { COMPOSER_VERSION } from '@switchyard/composition'
import type { SubgraphToCompose } from '@switchyard/domain'
import type { CompositionOptions } from './lanes/compose-task.ts'

export function inputHash(subgraphs: readonly SubgraphToCompose[], options: CompositionOptions): string {
  const sorted = subgraphs
    .map(({ name, routingUrl, schema, baseName }) => [name, routingUrl, schema, baseName] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const input = { composer: COMPOSER_VERSION, options, subgraphs: sorted }
  return createHash('sha256').update(JSON.stringify(input)).digest('hex')
}
