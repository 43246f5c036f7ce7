import { RegistryEvent } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { summarizeEvents } from '../src/summarize-events.ts'

describe('the summary of a command', () => {
  it('names what it did, and counts the rest of many events', () => {
    const enabled = (name: string): RegistryEvent => ({ type: 'feature-flag.enabled', name })
    expect(summarizeEvents([enabled('a')])).toBe('feature flag "a" enabled')
    expect(summarizeEvents(['a', 'b', 'c', 'd'].map(enabled))).toBe(
      'feature flag "a" enabled, feature flag "b" enabled, feature flag "c" enabled, feature flag "d" enabled',
    )
    expect(summarizeEvents(['a', 'b', 'c', 'd', 'e'].map(enabled))).toBe(
      'feature flag "a" enabled, feature flag "b" enabled, feature flag "c" enabled, 2 more changes',
    )
  })

  it('has words for each type of event', () => {
    const names = RegistryEvent.options.map((option) => option.shape.type.value)
    const content = { schema: 'a'.repeat(64), bytes: 1, routingUrl: 'http://a' }
    const sentences = names.map((type) => {
      const event = {
        type,
        name: 'it',
        graph: 'shop',
        revision: 3,
        labelMatchers: [],
        routingUrl: 'http://a',
        labels: [],
        base: 'b',
        featureSubgraphs: ['f'],
        enabled: true,
        schema: 'a'.repeat(64),
        manifest: 'a'.repeat(64),
        bytes: 1,
        documents: 1,
        flag: 'it-0123456789abcdef',
        subgraphs: [{ base: 'b', routingUrl: 'http://a', schema: 'a'.repeat(64), bytes: 1 }],
        expires: '2026-11-21T08:00:00Z',
        hosts: ['previews.internal'],
        mode: 'serve',
        where: [],
        percent: 5,
        steps: [1, 5],
        everyMs: 60_000,
        step: 1,
        key: [],
        salt: 's',
        promoted: [{ subgraph: 'a', featureSubgraph: 'f', before: content, after: content }],
      }
      return summarizeEvents([RegistryEvent.parse(event)])
    })
    expect(new Set(sentences).size).toBe(names.length)
  })
})
