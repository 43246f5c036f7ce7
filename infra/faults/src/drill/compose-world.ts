/**
 * The set-up of `infra/docker/compose.yaml` under a name of its own, on free ports, and what is done to it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Engine, openEngine, runProgram } from '@switchyard/docker'
import { REPOSITORY } from '@switchyard/lab'
import { freePort, freeSubnets, waitFor } from '@switchyard/testkit'

const COMPOSE = 'infra/docker/compose.sh'
const START_WITHIN_MS = 300_000
const RESTART_AFTER_MS = 2000

/** Services that are more than one container. */
export const SEVERAL = ['registry', 'composer', 'router'] as const

export class ComposeWorld implements AsyncDisposable {
  /** The URL at which the load balancer takes GraphQL requests. */
  readonly url: string
  readonly #engine: Engine
  readonly #env: Readonly<Record<string, string>>

  private constructor(engine: Engine, env: Readonly<Record<string, string>>) {
    this.#engine = engine
    this.#env = env
    this.url = `http://127.0.0.1:${env['ROUTER_PORT']}/graphql`
  }

  /** Builds the images, and resolves when the shop of the demo is served with its flag. */
  static async start(): Promise<ComposeWorld> {
    const engine = await openEngine()
    // Other networks than those of Compose by default, which somebody may use on this machine.
    const [edge = '', subgraphs = ''] = freeSubnets(2)
    const world = new ComposeWorld(engine, {
      ...engine.env,
      EDGE_SUBNET: edge,
      SUBGRAPHS_SUBNET: subgraphs,
      IMAGE_PREFIX: 'switchyard-drill/',
      COMPOSE_PROJECT_NAME: `switchyard-drill-${process.pid}`,
      ROUTER_PORT: String(await freePort()),
      REGISTRY_PORT: String(await freePort()),
    })
    try {
      await world.compose('up')
      await waitFor('the flag of the shop to be served', () => world.#servesFlag(), {
        withinMs: START_WITHIN_MS,
        everyMs: 500,
      })
      return world
    } catch (error) {
      await world[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Rejects with what Compose wrote when it fails. */
  async compose(...args: readonly string[]): Promise<string> {
    const options = {
      cwd: REPOSITORY,
      env: { ...this.#env, ...(args[0] === 'up' ? {} : { SKIP_BUILD: 'yes' }) },
    }
    const { code, stdout, stderr } = await runProgram(COMPOSE, args, options)
    if (code !== 0) throw new Error(`${COMPOSE} ${args.join(' ')} ended with ${code}:\n${stderr}\n${stdout}`)
    return stdout.trim()
  }

  switchyard(...args: readonly string[]): Promise<string> {
    return this.compose('run', '--rm', '-T', 'cli', ...args)
  }

  /** Ids of the containers of a service, the oldest first. */
  async containers(service: string): Promise<readonly string[]> {
    return (await this.compose('ps', '--quiet', service)).split('\n').filter((id) => id !== '')
  }

  /**
   * Kills one container as the kernel would, and starts it again two seconds later. Resolves when it is dead.
   */
  async kill(service: string): Promise<AsyncDisposable> {
    const [container] = await this.containers(service)
    if (container === undefined) throw new Error(`no container of ${service} runs`)
    await this.#engine.docker('kill', '--signal', 'KILL', container)
    const started = sleep(RESTART_AFTER_MS).then(() => this.#engine.docker('start', container))
    return { [Symbol.asyncDispose]: async () => void (await started) }
  }

  async stop(service: string): Promise<void> {
    await this.#engine.docker('stop', ...(await this.containers(service)))
  }

  async start(service: string): Promise<void> {
    await this.#engine.docker('start', ...(await this.#stopped(service)))
  }

  /**
   * Stops one container after the other in the orderly way, and starts it again; each has to get ready first.
   */
  async restart(service: string): Promise<void> {
    for (const container of await this.containers(service)) {
      await this.#engine.docker('stop', '--time', '70', container)
      await this.#engine.docker('start', container)
      await this.ready(service)
    }
  }

  /** Resolves when every container of a service says that it is ready. */
  async ready(service: string): Promise<void> {
    const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}'
    await waitFor(
      `${service} to be ready`,
      async () => {
        const states = await this.#engine.docker(
          'inspect',
          '--format',
          format,
          ...(await this.containers(service)),
        )
        return states.split('\n').every((state) => /^(?:healthy|running|)$/.test(state)) || undefined
      },
      { withinMs: START_WITHIN_MS, everyMs: 500 },
    )
  }

  /** Returns the last lines that the containers wrote. */
  logs(): Promise<string> {
    return this.compose('logs', '--tail', '200')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.compose('down', '--volumes', '--timeout', '5')
    } finally {
      await this.#engine[Symbol.asyncDispose]()
    }
  }

  async #stopped(service: string): Promise<readonly string[]> {
    const project = `label=com.docker.compose.project=${this.#env['COMPOSE_PROJECT_NAME']}`
    const ofService = `label=com.docker.compose.service=${service}`
    const ids = await this.#engine.docker(
      'ps',
      '--all',
      '--quiet',
      '--filter',
      project,
      '--filter',
      ofService,
    )
    return ids.split('\n').filter((id) => id !== '')
  }

  async #servesFlag(): Promise<true | undefined> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-feature-flag': 'new-pricing' },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
    return (response.ok && response.headers.has('x-feature-flag')) || undefined
  }
}
