/** Variables that docs/nats-and-redis.md shows are read by services as the page means them. */
import { describe, expect, it } from 'vitest'
import { loadConfigDistributionConfig } from '../../services/config-distribution/src/config.ts'
import { parseRedisAddress } from '../../shared/config-store/src/redis/redis-address.ts'
import { parseNatsAddress } from '../../shared/event-log/src/nats/nats-address.ts'
import { commandsOf } from './pages/commands.ts'

/** The move to an account is tested by infra/docker/test/servers.test.ts. */
const commands = commandsOf('docs/nats-and-redis.md').filter((command) => !command.startsWith('mv '))
const shown = commands.map((command) => {
  const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(command) ?? []
  return { name, value }
})
const valuesOf = (name: string): readonly string[] =>
  shown.filter((variable) => variable.name === name).map(({ value }) => value)

describe('docs/nats-and-redis.md', () => {
  it('shows variables with values, and nothing else', () => {
    expect(shown.length).toBeGreaterThan(7)
    expect(shown.filter(({ name }) => !name.startsWith('SWITCHYARD_'))).toEqual([])
  })

  it('names variables and files that a service takes over', () => {
    const environment = Object.fromEntries(shown.map(({ name, value }) => [name, value]))
    const config = loadConfigDistributionConfig({
      ...environment,
      SWITCHYARD_SIGNING_KEY_FILE: 'signing-key.json',
    })
    const taken = JSON.stringify(config)
    for (const value of Object.values(environment)) expect(taken).toContain(value)
  })

  it('shows an address of NATS with all of its servers, by TLS, with a user', () => {
    const [url = '', ...others] = valuesOf('SWITCHYARD_NATS_URL')
    expect(others).toEqual([])
    expect(parseNatsAddress(url, true)).toMatchObject({ tls: true, user: 'registry' })
    expect(parseNatsAddress(url, true).servers).toHaveLength(3)
  })

  it('shows an address of Redis for each way in which it runs, by TLS, with a user', () => {
    const addresses = valuesOf('SWITCHYARD_REDIS_URL').map(parseRedisAddress)
    expect(addresses.map(({ kind }) => kind)).toEqual(['single', 'sentinel', 'cluster'])
    for (const address of addresses) expect(address).toMatchObject({ tls: true, username: 'router' })
  })
})
