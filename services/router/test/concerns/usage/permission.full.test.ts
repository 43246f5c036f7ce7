/** A router whose user of NATS was set up before routers counted usage. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDirectoryConfigStore } from '@switchyard/config-store'
import { createNatsAnnouncer } from '@switchyard/event-log'
import { createLogger, ServerProblems } from '@switchyard/service-kit'
import { natsServerAvailable, startServer, temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { type LogLine, post, routerOn, until } from '../../support/router.ts'
import { startShop } from '../../support/shop.ts'

const USERS = `
  { user: router, password: p, permissions: { publish: ["router.status.default.shop.*"], subscribe: ["_INBOX.>", "config.default.shop", "router.status.default.shop.>"] } }
  { user: registry, password: p, permissions: { publish: ">", subscribe: ">" } }
`

describe.skipIf(!natsServerAvailable())('a router without the right to tell usage', () => {
  it('serves, and says once what to grant', async () => {
    await using use = new AsyncDisposableStack()
    const nats = use.use(
      await startServer({
        binary: 'nats-server',
        scheme: 'nats',
        arguments: (port, directory) => {
          const file = join(directory, 'nats.conf')
          writeFileSync(file, `listen: "127.0.0.1:${port}"\nauthorization { users: [${USERS}] }\n`)
          return ['-c', file]
        },
      }),
    )
    const shop = use.use(await startShop())
    const logs: LogLine[] = []
    const to = { write: (line: string) => void logs.push(JSON.parse(line)) }
    const problems = new ServerProblems(createLogger({ name: 'router', to }), 'nats')
    const as = (user: string) => nats.url.replace('nats://', `nats://${user}:p@`)
    const registry = use.use(createNatsAnnouncer({ url: as('registry'), name: 'registry' }))
    const told: string[] = []
    use.use(registry.subscribe('router.>', (_message, subject) => told.push(subject)))
    const announcer = createNatsAnnouncer({
      url: as('router'),
      name: 'router',
      onProblem: problems.tell,
      onWarning: problems.warn,
    })
    const directory = use.use(await temporaryDirectory())
    const store = await openDirectoryConfigStore({ directory: directory.path })
    const world = use.use(await ConfigWorld.create({ store, announcer }))
    await world.publish({ revision: 1, base: shop.base })
    let now = Date.parse('2026-11-30T10:00:00Z')
    const overrides = { now: () => now, random: () => 0, usageInterval: 10 }
    const router = use.use(await routerOn(world, { overrides }))
    await router.ready
    await until(() => told.length > 0, 'a heartbeat is heard')
    const warnings = () => logs.filter(({ msg }) => msg?.includes('router.usage.') === true)
    now += 60_000
    await until(() => warnings().length > 0, 'the log says what is missing')
    const before = told.length
    now += 3 * 60_000
    await until(() => told.length > before, 'another heartbeat, after three more minutes')
    const { json } = await post(router, { query: '{ version }' })
    expect(json.data).toEqual({ version: 'products' })
    expect(warnings()).toEqual([
      expect.objectContaining({
        event: 'nats.warning',
        code: 'NATS_PERMISSION_MISSING',
        msg: expect.stringContaining('Row "router", column "router.usage.>" of the table of permissions'),
      }),
    ])
    expect(told.filter((subject) => subject.startsWith('router.usage'))).toEqual([])
  })
})
