import type { Manifest } from '@switchyard/contracts'
import { expect, it } from 'vitest'
import { manifestText } from '../src/log/sign-manifest.ts'
import { hash } from './records.ts'

it('equal manifests are equal bytes, whatever the order in which their members were read', () => {
  const [artifact, pieces] = [hash('a'), hash('b')]
  const manifest = {
    formatVersion: 1,
    graph: { namespace: 'default', name: 'shop' },
    epoch: 1,
    revision: 2,
    createdAt: '2026-01-01T00:00:00.000Z',
    registrySequence: 3,
    base: { artifact, pieces },
    featureFlags: { a: { artifact }, b: { artifact, pieces } },
    traceKeys: { keys: [] },
  } satisfies Manifest
  const other: Manifest = {
    ...manifest,
    base: { pieces, artifact },
    featureFlags: { b: { pieces, artifact }, a: { artifact, pieces: undefined } },
  }
  expect(manifestText(other)).toBe(manifestText(manifest))
  expect(JSON.parse(manifestText(manifest))).toEqual(manifest)
  expect(manifestText(manifest)).toContain(`"base":{"artifact":"${artifact}","pieces":"${pieces}"}`)
})
