/** `switchyard usage`, and checks by usage, with answers that a registry may give. */
import { UnusedCoordinates, type UsageGroup, type UsageReport } from '@switchyard/contracts'
import type { CheckedChange } from '@switchyard/schema-checks'
import { describe, expect, it } from 'vitest'
import type { RegistryClient } from '../src/registry/registry-client.ts'
import { judgeByUsage } from '../src/usage/judge-by-usage.ts'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'

const DAY_MS = 24 * 60 * 60_000
const NOW = Date.parse('2026-11-30T12:00:00Z')
const LATENCY = { p50: 1.5, p90: 2, p99: 30.25 }
const COVERAGE = {
  reportedMinutes: 43_200,
  aliveMinutes: 43_200,
  share: 1,
  unheardMinutes: 0,
  isEvidence: true,
  reason: null,
}

const IOS = {
  client: { name: 'ios', version: '3.2' },
  flag: 'prices',
  requests: 41,
  errors: 1,
  latencyMs: LATENCY,
  lastSeen: NOW - DAY_MS,
} satisfies UsageGroup

function report(groups: UsageGroup[], more: Partial<UsageReport> = {}): UsageReport {
  return {
    namespace: 'default',
    graph: 'shop',
    from: NOW - 30 * DAY_MS,
    to: NOW,
    retentionDays: 30,
    coverage: COVERAGE,
    totals: { requests: 41, errors: 1, latencyMs: LATENCY },
    groups,
    leftOut: 0,
    restRequests: 0,
    ...more,
  }
}

async function usage(line: string, answer: unknown): Promise<{ out: string; err: string; asked: string }> {
  let asked = ''
  const env = await fakeRegistry((request, response) => {
    asked = request.url ?? ''
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const { stdout, stderr } = await runCommand(line.split(' '), { env })
  return { out: stdout, err: stderr, asked }
}

describe('switchyard usage', () => {
  it('lists operations, and says how much of the time is known', async () => {
    const operation = { hash: 'a'.repeat(64), name: 'Products', kind: 'query' as const }
    const { client: _client, flag: _flag, ...counts } = IOS
    const { out, err, asked } = await usage('usage shop', report([{ ...counts, operation }], { leftOut: 3 }))
    expect(out).toBe('Products\t41\t1\t1.50\t30.3\t2026-11-29T12:00:00.000Z\n')
    expect(err).toContain('3 more are not listed')
    expect(err).toContain('known: 43200 of 43200 router minutes')
    expect(asked).toContain('group=operation')
  })

  it('says who asks for a field', async () => {
    const operation = { hash: 'b'.repeat(64), name: null, kind: 'query' as const }
    const { out, asked } = await usage('usage shop --field Product.price', report([{ ...IOS, operation }]))
    expect(out).toMatch(/^anonymous:bbbbbbbb\tios 3\.2\tprices\t41\t/)
    expect(new URLSearchParams(asked.split('?')[1]).getAll('group')).toEqual(['operation', 'client', 'flag'])
    expect(asked).toContain('coordinate=Product.price')
  })

  it('lists what is unused, or why nobody knows', async () => {
    const known: UnusedCoordinates = { coverage: COVERAGE, unused: ['Product.size'], reason: null, total: 1 }
    expect((await usage('usage shop --unused', known)).out).toBe('Product.size\n')
    const reason = 'No router was heard in the window.'
    const { out, err } = await usage('usage shop --unused', { ...known, unused: null, reason, total: 0 })
    expect([out.trim(), err]).toEqual(['', expect.stringContaining(reason)])
  })
})

function removal(path: string, more: Partial<CheckedChange> = {}): CheckedChange {
  const message = `${path} goes`
  return {
    criticality: 'breaking',
    type: 'FIELD_REMOVED',
    path,
    message,
    graph: 'shop',
    featureFlag: null,
    ...more,
  }
}

/** Judges changes by a registry that gives this report; of yesterday it has `yesterday`. */
async function judged(changes: CheckedChange[], all: UsageReport, yesterday: UsageGroup[] = []) {
  const asked: URLSearchParams[] = []
  const registry = {
    get: async (path: string) => {
      const query = new URLSearchParams(path.split('?')[1])
      asked.push(query)
      return Number(query.get('to')) === NOW ? all : report(yesterday)
    },
  } as unknown as RegistryClient
  const window = { namespace: 'default', since: NOW - 30 * DAY_MS, now: NOW }
  return { changes: await judgeByUsage(registry, changes, window), asked }
}

describe('a check by usage', () => {
  it('lets what nobody used go, and says who would break by the rest', async () => {
    const used = { ...IOS, coordinate: 'Product.price' }
    const changes = [removal('Product.price'), removal('Product.size')]
    const { changes: after } = await judged(changes, report([used]), [used])
    expect(after.map(({ criticality, message }) => [criticality, message])).toEqual([
      ['breaking', 'Product.price goes (used by ios 3.2, 41 requests yesterday, by flag prices)'],
      ['safe', 'Product.size goes (unused for 30 days, by 43,200 of 43,200 router minutes)'],
    ])
    const { changes: earlier } = await judged(changes, report([used]))
    expect(earlier[0]?.message).toContain('41 requests in 30 days, the last on 2026-11-29')
  })

  it('leaves a removal breaking without evidence, with the reason', async () => {
    const coverage = { ...COVERAGE, isEvidence: false, reason: 'No router was heard in the window.' }
    const { changes } = await judged([removal('Product.size')], report([], { coverage }))
    expect(changes).toMatchObject([
      {
        criticality: 'breaking',
        message: 'Product.size goes (perhaps used: No router was heard in the window)',
      },
    ])
    const { changes: many } = await judged([removal('Product.size')], report([], { leftOut: 1 }))
    expect(many).toMatchObject([{ criticality: 'breaking' }])
  })

  it('asks for arguments by their coordinate, by the schema of the flag, and for nothing but removals', async () => {
    const changes = [
      removal('Query.search.term', { type: 'FIELD_ARGUMENT_REMOVED', featureFlag: 'prices' }),
      removal('Product.name', { type: 'FIELD_TYPE_CHANGED' }),
      removal('Product.old', { criticality: 'safe' }),
    ]
    const { changes: after, asked } = await judged(changes, report([]))
    expect(asked.map((query) => [query.getAll('coordinate'), query.get('schemaOf')])).toEqual([
      [['Query.search(term:)'], 'prices'],
    ])
    expect(after.map(({ criticality }) => criticality)).toEqual(['safe', 'breaking', 'safe'])
  })
})
