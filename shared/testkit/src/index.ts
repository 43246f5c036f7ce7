export { type HttpSubgraph, serveSubgraph } from './http-subgraph.ts'
export { waitFor } from './wait-for.ts'
export { type SpawnedServer, startServer } from './servers/child-server.ts'
export { freePort } from './servers/free-port.ts'
export { natsServerAvailable, startNatsServer } from './servers/nats-server.ts'
export { redisServerAvailable, startRedisServer } from './servers/redis-server.ts'
export { InProcessSubgraph } from './subgraph/in-process-subgraph.ts'
export type {
  InProcessSubgraphOptions,
  InvalidDocument,
  SubgraphCall,
  SubgraphResolvers,
} from './subgraph/in-process-subgraph.ts'
export { type RecordedSpans, recordSpans } from './recorded-spans.ts'
export { type ServiceProcess, startServiceProcess } from './service-process.ts'
export { temporaryDirectory } from './temporary-directory.ts'
