/**
 * The shop's subgraphs by themselves, without registry and router, for set-ups in which those run elsewhere,
 * such as containers. Ports are those of `make demo`; `SWITCHYARD_PORT` is where its health is asked for.
 */
import { createHealthServer, parseEnvironment, portVariable, runService } from '@switchyard/service-kit'
import { z } from 'zod'
import { readSettings } from './settings.ts'
import { DEMO_SERVERS, startSubgraph } from './subgraphs.ts'

const Variables = z.object({
  SWITCHYARD_HOST: z.string().default('127.0.0.1'),
  SWITCHYARD_PORT: portVariable(4400),
})

await runService(process, {
  name: 'demo-subgraphs',
  async start({ env, logger }) {
    const { SWITCHYARD_HOST: host, SWITCHYARD_PORT: port } = parseEnvironment(Variables, env)
    const { ports } = readSettings([], env)
    await using parts = new AsyncDisposableStack()
    for (const name of DEMO_SERVERS) {
      const { url } = parts.use(await startSubgraph(name, host, ports[name]))
      logger.info({ event: 'demo.subgraph-started', subgraph: name, url }, 'serving')
    }
    const well = () => ({ ok: true }) as const
    parts.use(await createHealthServer({ host, port, service: 'demo-subgraphs', live: well, ready: well }))
    const running = parts.move()
    return { [Symbol.asyncDispose]: () => running.disposeAsync() }
  },
})
