/** The whole constellation from container images, by testcontainers. */
import { freePorts } from '@switchyard/testkit'
import { type Constellation, startDistributed, type StartOptions } from './constellation.ts'
import { ContainerProgram } from './container-program.ts'

export type ImageNames = {
  /** Returns the image of `registry`, `composer`, `config-distribution` or `router`. */
  readonly of: (service: string) => string
  readonly nats: string
  readonly redis: string
}

export async function startInContainers(
  images: ImageNames,
  options: StartOptions & { readonly registries?: number } = {},
): Promise<Constellation> {
  const [natsPort = 0, redisPort = 0] = await freePorts(2)
  const started: ContainerProgram[] = []
  const start = async (...args: Parameters<typeof ContainerProgram.start>): Promise<ContainerProgram> => {
    const program = await ContainerProgram.start(...args)
    started.push(program)
    return program
  }
  const removeAll = async (): Promise<void> => {
    await Promise.all(started.map((program) => program.remove()))
  }
  try {
    await start('nats', {
      image: images.nats,
      command: ['-a', '127.0.0.1', '-p', String(natsPort), '-js', '-sd', '/tmp/jetstream'],
    })
    await start('redis', {
      image: images.redis,
      command: [
        'redis-server',
        '--bind',
        '127.0.0.1',
        '--port',
        String(redisPort),
        '--save',
        '',
        '--dir',
        '/tmp',
      ],
    })
    return await startDistributed({
      ...options,
      natsUrl: `nats://127.0.0.1:${natsPort}`,
      redisUrl: `redis://127.0.0.1:${redisPort}`,
      run: ({ name, service, environment, folder }) => {
        // Its default is of the host's name and the process id, which containers in one network have in
        // common.
        const own = { SWITCHYARD_INSTANCE: name, SWITCHYARD_METRICS_PORT: '0' }
        return start(name, { image: images.of(service), environment: { ...own, ...environment }, folder })
      },
      stopOthers: removeAll,
    })
  } catch (error) {
    await removeAll()
    throw error
  }
}
