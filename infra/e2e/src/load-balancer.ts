/**
 * The load balancer of `infra/docker/compose`, with its configuration, in front of the programs of a
 * constellation.
 */
import { freePort, type SpawnedServer, startHaproxy } from '@switchyard/testkit'
import { readFile } from 'node:fs/promises'
import type { Constellation } from './constellation.ts'
import { REPOSITORY } from '@switchyard/lab'

const CONFIGURATION = `${REPOSITORY}/infra/docker/compose/haproxy.cfg`

/** One that refuses connections is out of service at once. */
const WATCHED = ' observe layer4 error-limit 3 on-error mark-down'

export type LoadBalancer = SpawnedServer & { readonly managementUrl: string }

/** Starts a load balancer in front of all registries and routers of a constellation. */
export async function startLoadBalancer(system: Constellation): Promise<LoadBalancer> {
  const template = await readFile(CONFIGURATION, 'utf8')
  const managementPort = await freePort()
  const server = await startHaproxy((port) => configuration(template, system, port, managementPort))
  return Object.assign(server, { managementUrl: `http://127.0.0.1:${managementPort}` })
}

/** Returns the configuration with other addresses, and without the lookup of names. */
function configuration(
  template: string,
  system: Constellation,
  port: number,
  managementPort: number,
): string {
  const servers = (name: string, urls: readonly string[], more: string) =>
    urls.map((url, index) => `  server ${name}-${index + 1} ${new URL(url).host}${more}`).join('\n')
  const routers = (more: string) => servers('router', system.routerUrls, more)
  const registries = (more: string) => servers('registry', system.registryUrls, more)
  const changes: readonly (readonly [string | RegExp, string])[] = [
    ['bind :4000', `bind 127.0.0.1:${port}`],
    ['bind :4100', `bind 127.0.0.1:${managementPort}`],
    [`  server-template router- 32 router:4000${WATCHED}\n`, `${routers(WATCHED)}\n`],
    ['  server-template router- 32 router:4000 no-check', routers(' no-check')],
    [`  server-template registry- 32 registry:4100${WATCHED}\n`, `${registries(WATCHED)}\n`],
    ['  server-template registry- 32 registry:4100 no-check', registries(' no-check')],
    [' init-addr none resolvers engine resolve-prefer ipv4', ''],
    [/^resolvers engine\n(?: .*\n)+/m, ''],
  ]
  return changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${CONFIGURATION} does not contain ${from.toString()}.`)
    return changed
  }, template)
}
