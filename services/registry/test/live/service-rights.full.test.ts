/** Registries on NATS, one of which has a user that was set up before registries told how they do. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNatsAnnouncer } from '@switchyard/event-log'
import { createLogger, ServerProblems } from '@switchyard/service-kit'
import { natsServerAvailable, startServer, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { HeardServices } from '../../src/fleet/heard-services.ts'
import { RegistryHeartbeats } from '../../src/fleet/registry-heartbeats.ts'

const USERS = `
  { user: before, password: p, permissions: { publish: "registry.events.>", subscribe: ["_INBOX.registry.>", "router.status.>"] } }
  { user: registry, password: p, permissions: { publish: "registry.status.*", subscribe: ["registry.status.>", "composer.status.>"] } }
`

describe.skipIf(!natsServerAvailable())('registries on NATS', () => {
  it('hear each other; one without the rights lists itself, and says once what to grant', async () => {
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
    const logs: { readonly code?: string; readonly msg?: string }[] = []
    const to = { write: (line: string) => void logs.push(JSON.parse(line)) }
    const problems = new ServerProblems(createLogger({ name: 'registry', to }), 'nats')
    const start = (user: string, instance: string) => {
      const url = nats.url.replace('nats://', `nats://${user}:p@`)
      const handlers = { onProblem: problems.tell, onWarning: problems.warn }
      const announcer = use.use(createNatsAnnouncer({ url, name: 'registry', ...handlers }))
      const monotonicNow = () => performance.now()
      const services = use.use(new HeardServices({ announcer, monotonicNow, onChanged: () => {} }))
      const onTold = services.hearRegistry.bind(services)
      const tell = () => {
        using heartbeats = new RegistryHeartbeats({ announcer, instance, onTold })
        heartbeats.start()
      }
      return { tell, names: () => services.list().map((service) => service.instance) }
    }
    const [one, two, before] = [start('registry', 'one'), start('registry', 'two'), start('before', 'before')]
    const warned = (part: string) => logs.filter(({ msg }) => msg?.includes(part) === true)
    await waitFor('both to hear each other', () => {
      for (const registry of [one, two, before]) registry.tell()
      return one.names().length > 1 && two.names().length > 1
    })
    const missing = [
      'subscribe to composer.status.>. Row "registry", column "composer.status.>"',
      'subscribe to registry.status.>. Row "registry", column "registry.status.>"',
      'publish to registry.status.before. Row "registry", column "registry.status.>"',
    ]
    await waitFor('the log to say what is missing', () => {
      before.tell()
      return missing.every((text) => warned(text).length > 0)
    })
    expect([one.names(), two.names(), before.names()]).toEqual([['one', 'two'], ['one', 'two'], ['before']])
    const told = logs.filter(({ code }) => code === 'NATS_PERMISSION_MISSING')
    expect(told).toHaveLength(missing.length)
  })
})
