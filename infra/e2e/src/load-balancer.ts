/**
 * The load balancer of `infra/docker/compose`, with its configuration, in front of the programs of a
 * constellation.
 */
import { freePort, type SpawnedServer, startHaproxy } from '@switchyard/testkit'
import { readFile } from 'node:fs/promises'
import type { Constellation } from './constellation.ts'
import { REPOSITORY } from './process.ts'

const CONFIGURATION = `${REPOSITORY}/infra/docker/compose/haproxy.cfg`

export type LoadBalancer = SpawnedServer & { readonly managementUrl: string }

/** For a constellation with two registries and two routers, as Compose has them. */
export async function startLoadBalancer(system: Constellation): Promise<LoadBalancer> {
  const template = await readFile(CONFIGURATION, 'utf8')
  const managementPort = await freePort()
  const server = await startHaproxy((port) => configuration(template, system, port, managementPort))
  return Object.assign(server, { managementUrl: `http://127.0.0.1:${managementPort}` })
}

/** What differs is where everything is, and that no name has to be looked up. */
function configuration(
  template: string,
  system: Constellation,
  port: number,
  managementPort: number,
): string {
  const hosts = (urls: readonly string[]) => urls.map((url) => new URL(url).host)
  const [router1, router2] = hosts(system.routerUrls)
  const [registry1, registry2] = hosts(system.registryUrls)
  const changes: readonly (readonly [string | RegExp, string])[] = [
    ['bind :4000', `bind 127.0.0.1:${port}`],
    ['bind :4100', `bind 127.0.0.1:${managementPort}`],
    ['router-1:4000', router1 ?? ''],
    ['router-2:4000', router2 ?? ''],
    ['registry-1:4100', registry1 ?? ''],
    ['registry-2:4100', registry2 ?? ''],
    [' init-addr libc,none resolvers engine resolve-prefer ipv4', ''],
    [/^resolvers engine\n(?: .*\n)+/m, ''],
  ]
  return changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${CONFIGURATION} does not contain ${from.toString()}.`)
    return changed
  }, template)
}
