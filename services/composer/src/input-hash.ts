/** The hash of everything that a composition depends on: equal hash, equal result. */
import { createHash } from 'node:crypto'
import { COMPOSER_VERSION } from '@switchyard/composition'
import type { SubgraphToCompose } from '@switchyard/domain'
import type { CompositionOptions } from './lanes/compose-task.ts'

export function inputHash(subgraphs: readonly SubgraphToCompose[], options: CompositionOptions): string {
  const sorted = subgraphs
    .toSorted(({ name: one }, { name: other }) => (one < other ? -1 : one > other ? 1 : 0))
    .map(({ name, routingUrl, schema, baseName, preview }) => [
      name,
      routingUrl,
      schema,
      baseName,
      ...(preview === undefined ? [] : ['preview']),
    ])
  const input = { composer: COMPOSER_VERSION, options, subgraphs: sorted }
  return createHash('sha256').update(JSON.stringify(input)).digest('hex')
}
