/** The pages about containers: their commands, typed in as they stand there, on an engine of their own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, freeSubnets, waitFor } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandsFor } from '../../../../docs/test/pages/not-run.ts'
import { PageShell } from '../../../../docs/test/pages/page-shell.ts'
import { composeMissing } from './compose.ts'
import { BUILD_WITHIN_MS, engineWithImages, isOfMachine, ROOT } from './engine.ts'

/** Those that a reader publishes: routers, registries, Grafana, Prometheus, and a router for previews. */
const NAMED = ['4000', '4100', '3000', '9090', '4001'] as const
/** From the checkout; the others are typed in a folder of the reader's. */
const IN_CHECKOUT = /^(?:\w+=\S* )*(?:make |infra\/)|^TOKEN=/

/** Images, volumes and containers get the names of the pages, which others may have on a common engine. */
const reason = composeMissing ?? (isOfMachine ? 'the engine is that of this machine' : null)

export function testPages(): void {
  describe.skipIf(reason !== null)(`pages about containers${reason === null ? '' : ` (${reason})`}`, () => {
    let folder: string
    let env: Readonly<Record<string, string>>
    let ports: ReadonlyMap<string, number>

    beforeAll(async () => {
      const engine = await engineWithImages()
      folder = await mkdtemp(join(tmpdir(), 'switchyard-page-'))
      await writeFile(
        join(folder, 'supergraph.graphql'),
        await readFile(join(ROOT, 'infra/docker/build/warm-up.graphql'), 'utf8'),
      )
      const free = await freePorts(NAMED.length)
      ports = new Map(NAMED.map((name, index) => [name, free[index] ?? 0]))
      const [edge = '', subgraphs = ''] = freeSubnets(2)
      const port = (name: (typeof NAMED)[number]) => String(ports.get(name) ?? 0)
      env = {
        ...engine.env,
        ROUTER_PORT: port('4000'),
        REGISTRY_PORT: port('4100'),
        GRAFANA_PORT: port('3000'),
        PROMETHEUS_PORT: port('9090'),
        PREVIEWS_PORT: port('4001'),
        EDGE_SUBNET: edge,
        SUBGRAPHS_SUBNET: subgraphs,
      }
    }, BUILD_WITHIN_MS)

    afterAll(async () => {
      await using shell = new PageShell({ folder: ROOT, env })
      await shell.run('make compose-down VOLUMES=yes')
      await rm(folder, { recursive: true, force: true })
    })

    async function type(shell: PageShell, command: string): Promise<string> {
      await shell.run(`cd '${IN_CHECKOUT.test(command) ? ROOT : folder}'`)
      // On the same ports as the containers that the page has started before.
      if (command.startsWith('make compose')) await shell.stop()
      const printed = await shell.run(command)
      // The pages say to wait until the router answers.
      const [isUp, profile] = /^(COMPOSE_PROFILES=previews )?make compose$/.exec(command) ?? []
      if (isUp !== undefined) await shell.run(untilServed(profile === undefined ? '4000' : '4001'))
      return printed
    }

    it.each([
      'docs/docker.md',
      'docs/previews.md',
      'docs/observability.md',
      'docs/kubernetes.md',
      'README.md',
    ])(
      '%s: its commands work in the order in which they stand there',
      async (page) => {
        // The images are the same for each page: docs/docker.md, which comes first, builds them.
        const isBuilt =
          page === 'docs/docker.md' || page === 'docs/kubernetes.md' ? {} : { SKIP_BUILD: 'true' }
        await using shell = new PageShell({ folder, ports, env: { ...env, ...isBuilt } })
        const commands = commandsFor('containers', page)
        expect(commands.length).toBeGreaterThan(0)
        for (const command of commands) {
          if (!command.startsWith('curl ')) await type(shell, command)
          // Both routers hear of a key of traces and of a flag within seconds, as the page says.
          else await waitFor(`${command} to be answered`, async () => isAnswer(await type(shell, command)))
        }
      },
      BUILD_WITHIN_MS,
    )
  })
}

const isAnswer = (printed: string): boolean => printed.includes('"data"') && !printed.includes('"errors"')

const untilServed = (port: (typeof NAMED)[number]): string =>
  `until curl -s localhost:${port}/graphql -H 'content-type: application/json' -d '{"query":"{ products { name } }"}' | grep Two-person; do sleep 0.5; done`
