/** One publish is one trace, from the command line to the swap in the router. */
import { createLogger } from '@switchyard/service-kit'
import { startStandalone } from '@switchyard/standalone'
import { recordSpans, waitFor } from '@switchyard/testkit'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GRAPH, openShop, runCommand } from '../src/index.ts'

it('carries the trace of a command through registry, composer, config distribution and router', async () => {
  // A provider that was there before and is gone does not matter.
  recordSpans()[Symbol.dispose]()
  using spans = recordSpans()
  await using shop = await openShop()
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-e2e-'))
  try {
    await using system = await startStandalone({
      dataDir: join(folder, 'data'),
      registryPort: 0,
      routerPort: 0,
      graph: { namespace: 'default', graph: GRAPH },
      bootstrapApiKey: 'swy_e2e_0123456789abcdef0123456789abcdef',
      logger: createLogger({ name: 'e2e', level: 'silent' }),
    })
    const environment = {
      SWITCHYARD_REGISTRY_URL: system.registryUrl,
      SWITCHYARD_API_KEY: 'swy_e2e_0123456789abcdef0123456789abcdef',
    }
    await writeFile(join(folder, 'users.graphql'), shop.users.sdl)
    const graph = await runCommand(
      ['graph', 'create', GRAPH, '--label-matcher', 'team=shop'],
      environment,
      folder,
    )
    expect(graph.code, graph.stderr).toBe(0)
    const publish = await runCommand(
      [
        'subgraph',
        'publish',
        'users',
        '--schema',
        'users.graphql',
        '--routing-url',
        shop.users.url,
        '--label',
        'team=shop',
      ],
      environment,
      folder,
    )
    expect(publish.code, publish.stderr).toBe(0)

    const swap = await waitFor('the span of the swap', () =>
      spans.finished().find((span) => span.name === 'config swap'),
    )
    const trace = spans.finished().filter((span) => span.spanContext().traceId === swap.spanContext().traceId)
    const names = trace.map((span) => span.name)
    expect(names).toEqual(
      expect.arrayContaining(['registry.command', 'compose graph', 'publish config', 'config swap']),
    )
    // The command line began the trace: the registry's span has a parent that no part of this process made.
    const command = trace.find((span) => span.name === 'registry.command')
    const ids = new Set(spans.finished().map((span) => span.spanContext().spanId))
    expect(command?.parentSpanContext?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(ids.has(command?.parentSpanContext?.spanId ?? '')).toBe(false)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
