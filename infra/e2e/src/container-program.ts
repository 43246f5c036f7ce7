/**
 * One program of the constellation in a container of its image, by testcontainers. It shares the network of
 * this machine, so that subgraphs of tests reach it and it reaches them at loopback addresses, as a spawned
 * process does.
 */
import { PassThrough } from 'node:stream'
import type { Container } from 'dockerode'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { type LogEvent, OutputOfProgram, type ServiceProgram } from '@switchyard/lab'

export type ContainerOptions = {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  /** A folder that it sees at the same path. */
  readonly folder?: string
}

const STOP_WITHIN_S = 15

export class ContainerProgram implements ServiceProgram {
  readonly name: string
  readonly #container: Container
  readonly #output = new OutputOfProgram()
  #exit: Promise<number | null>
  #running = true
  #pid = -1

  private constructor(name: string, container: Container) {
    this.name = name
    this.#container = container
    this.#exit = this.#watch()
  }

  static async start(name: string, options: ContainerOptions): Promise<ContainerProgram> {
    const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    let container = new GenericContainer(options.image)
      .withNetworkMode('host')
      // Of the folder's owner, since keys in it are for their owner alone.
      .withUser(`${uid}:${gid}`)
      .withEnvironment({ ...options.environment })
      // Whether it is healthy is asked every ten seconds alone; who starts a constellation waits until it is
      // ready.
      .withWaitStrategy(Wait.forLogMessage(/\S/))
    if (options.command !== undefined) container = container.withCommand([...options.command])
    if (options.folder !== undefined)
      container = container.withBindMounts([{ source: options.folder, target: options.folder }])
    const started = await container.start()
    const { container: containers } = await getContainerRuntimeClient()
    const program = new ContainerProgram(name, containers.getById(started.getId()))
    await program.#follow(0)
    return program
  }

  get output(): string {
    return this.#output.text
  }
  get events(): readonly LogEvent[] {
    return this.#output.events
  }
  get pid(): number {
    return this.#pid
  }
  get running(): boolean {
    return this.#running
  }

  exited(): Promise<number | null> {
    return this.#exit
  }

  async kill9(): Promise<void> {
    if (!this.#running) return
    await this.#container.kill({ signal: 'SIGKILL' })
    await this.#exit
  }

  async stop(): Promise<void> {
    if (!this.#running) return
    await this.#container.stop({ t: STOP_WITHIN_S })
    await this.#exit
  }

  async start(): Promise<void> {
    if (this.#running) throw new Error(`${this.name} is running already`)
    const since = Date.now() / 1000
    await this.#container.start()
    this.#running = true
    this.#exit = this.#watch()
    await this.#follow(since)
  }

  /** Removes the container, with everything that it wrote outside of its folder. */
  async remove(): Promise<void> {
    await this.stop()
    await this.#container.remove({ force: true, v: true })
  }

  async #watch(): Promise<number | null> {
    const ended: unknown = await this.#container.wait()
    this.#running = false
    return typeof ended === 'object' && ended !== null && 'StatusCode' in ended
      ? Number(ended.StatusCode)
      : null
  }

  async #follow(since: number): Promise<void> {
    this.#pid = (await this.#container.inspect()).State.Pid
    const log = await this.#container.logs({ follow: true, stdout: true, stderr: true, since })
    const kept = new PassThrough()
    kept.on('data', (chunk: Buffer) => this.#output.keep(chunk))
    this.#container.modem.demuxStream(log, kept, kept)
  }
}
