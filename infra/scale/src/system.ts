/** A running set-up on real servers whose processes are measured. */
import {
  type Constellation,
  type OnRealServers,
  type ServiceProgram,
  startOnRealServers,
  waitForReady,
} from '@switchyard/e2e'
import { freePorts, natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { usageOf } from '@switchyard/lab'

export type System = OnRealServers & {
  /** The port at which each program serves its metrics, by its name. */
  readonly metricsPorts: ReadonlyMap<string, number>
  /** The URL at which each program tells whether it is ready. */
  readonly urls: ReadonlyMap<string, string>
}

/** Two for each program that startOnRealServers starts. */
const PORTS = 12

export async function startSystem(routerSettings = ''): Promise<System> {
  if (!natsServerAvailable() || !redisServerAvailable())
    throw new Error('NATS and Redis are not here: scripts/servers.sh installs them')
  const free = [...(await freePorts(PORTS))]
  const metricsPorts = new Map<string, number>()
  const urls = new Map<string, string>()
  const system = await startOnRealServers({
    routerSettings: `access_log: { enabled: false }\n${routerSettings}`,
    optionsOf(program) {
      const [metrics = 0, own = 0] = free.splice(0, 2)
      metricsPorts.set(program, metrics)
      const environment = { SWITCHYARD_METRICS_PORT: String(metrics) }
      // Those of registries and routers are known.
      if (/^(registry|router)/.test(program)) return { environment }
      urls.set(program, `http://127.0.0.1:${own}`)
      return { environment: { ...environment, SWITCHYARD_PORT: String(own) } }
    },
  })
  for (const [index, url] of system.registryUrls.entries()) urls.set(`registry-${index}`, url)
  for (const [index, url] of system.routerUrls.entries()) urls.set(`router-${index}`, url)
  return { ...system, metricsPorts, urls }
}

export function programOf(system: Constellation, name: string): ServiceProgram {
  const program = system.programs.get(name)
  if (program === undefined) throw new Error(`no program "${name}" runs`)
  return program
}

/** Writes a namespace as a whole and waits until it is composed. */
export async function apply(system: Constellation, namespace: string, state: object): Promise<void> {
  const path = `/v1/namespaces/${namespace}/apply?wait=120000`
  const { status, body } = await system.manage('POST', path, state)
  const { compositions } = body as { compositions?: readonly { readonly status: string }[] }
  const composed = compositions?.every(({ status: each }) => each === 'composed' || each === 'unchanged')
  if (status >= 300 || body['pending'] === true || composed !== true)
    throw new Error(`${path}: ${status} ${JSON.stringify(body).slice(0, 2000)}\n${system.report()}`)
}

/** Returns the longest delay of the event loop since the last call, in seconds. Restarts the count. */
export async function longestDelay(system: System, program: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${system.metricsPorts.get(program) ?? 0}/metrics`)
  const value = /^nodejs_eventloop_delay_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(await response.text())?.[1]
  if (value === undefined) throw new Error(`${program} has no metric nodejs_eventloop_delay_max_seconds`)
  return Number(value)
}

/** CPU seconds from its start to the moment at which it is ready. */
export async function restart(system: System, name: string): Promise<number> {
  const program = programOf(system, name)
  await program.stop()
  await program.start()
  await waitForReady(system, system.urls.get(name) ?? '')
  return usageOf(program.pid).cpuMs / 1000
}
