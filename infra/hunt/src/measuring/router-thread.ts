/** A router in a thread of its own, whose turns are measured. */
import { type MessagePort, workerData } from 'node:worker_threads'
import { startRouter } from '@switchyard/router'
import { LOCAL_NETWORKS, loadRouterConfig } from '@switchyard/router/config'
import { createLogger } from '@switchyard/service-kit'
import { tell } from './tell.ts'
import { startTurnMeter } from './turn-meter.ts'

export type RouterThreadSetUp = {
  readonly supergraph: string
  readonly settings: string
  readonly meter: MessagePort
}

const { supergraph, settings, meter } = workerData as RouterThreadSetUp

const config = loadRouterConfig({
  file: { path: 'router.yaml', text: settings },
  // The subgraphs of the hunt are on this machine, as for every router that serves a file.
  defaultNetworks: LOCAL_NETWORKS,
})
const logger = createLogger({
  name: 'router',
  to: {
    // A fault of the router itself is an answer with 500, too, but only its log says what it was.
    write: (line) => {
      if (line.includes('"level":"error"')) tell({ error: line })
    },
  },
})
const router = await startRouter({
  config: { ...config, host: '127.0.0.1', port: 0 },
  source: { kind: 'supergraph', path: supergraph },
  logger,
})
await router.ready
startTurnMeter(meter)
tell(router.port)
