export { type CertificateOptions, createCertificate, type TestCertificate } from './certificates.ts'
export { type CertificateFiles, writeCertificate } from './certificate-files.ts'
export { filesLoadedByNode } from './loaded-files.ts'
export { type HttpSubgraph, serveSubgraph } from './http-subgraph.ts'
export { PATIENTLY, waitFor } from './waiting/wait-for.ts'
export { programPath, type SpawnedServer, startServer, startServerOn } from './servers/child-server.ts'
export { freePort, freePorts } from './servers/free-port.ts'
export { freeSubnets } from './servers/free-subnets.ts'
export { haproxyAvailable, startHaproxy } from './servers/haproxy-server.ts'
export { natsServerAvailable, startNatsServer } from './servers/nats-server.ts'
export {
  type NatsCluster,
  type NatsClusterOptions,
  type NatsNode,
  startNatsCluster,
} from './servers/nats-cluster.ts'
export { natsClusterAvailable, type NatsVersion, natsVersions } from './servers/nats-versions.ts'
export { nginxAvailable, startNginx } from './servers/nginx-server.ts'
export { redisServerAvailable, startRedisServer } from './servers/redis-server.ts'
export { type RedisCluster, type RedisClusterOptions, startRedisCluster } from './servers/redis-cluster.ts'
export { askRedis, type RedisAccess } from './servers/redis-nodes.ts'
export {
  type RedisSentinels,
  type RedisSentinelsOptions,
  startRedisSentinels,
  WATCHED_NAME,
} from './servers/redis-sentinel.ts'
export { type Seen, startTcpProxy, type TcpProxy } from './servers/tcp-proxy.ts'
export { startTcpBalancer, type TcpBalancer, type TcpBalancerOptions } from './servers/tcp-balancer.ts'
export { InProcessSubgraph } from './subgraph/in-process-subgraph.ts'
export type {
  InProcessSubgraphOptions,
  InvalidDocument,
  SubgraphCall,
  SubgraphResolvers,
} from './subgraph/in-process-subgraph.ts'
export { type Again, FIXED_SEED, RandomRun } from './random-run.ts'
export { isFullRun, isLongRun, sampled } from './sampled.ts'
export {
  byName,
  type CatalogueRow,
  metricsCatalogue,
  servedRows,
  prometheusName,
} from './metrics-catalogue.ts'
export { connectionLife, type ToldConnection, toldConnection } from './connection-metrics.ts'
export { recordProblems } from './recorded-problems.ts'
export { type Measured, type RecordedMetrics, recordMetrics } from './recorded-metrics.ts'
export type { CollectedMetric, CollectedPoint } from './collected-metrics.ts'
export { type CollectedSpan, type Collector, startCollector } from './collector.ts'
export { parseMetrics, type ScrapedMetric, type ScrapedSample, scrapeMetrics } from './scraped-metrics.ts'
export { type RecordedSpans, recordSpans } from './recorded-spans.ts'
export { bareEnvironment } from './bare-environment.ts'
export { programFile } from './program-file.ts'
export { type ServiceProcess, startServiceProcess } from './service-process.ts'
export { readOptions } from './read-options.ts'
export { replaced } from './replaced.ts'
export { temporaryDirectory } from './temporary-directory.ts'
export { compareStream, produceStream } from './incremental/compare-stream.ts'
export { deliveriesOf } from './incremental/deliveries.ts'
export {
  type ExpectedEntry,
  type ExpectedFragment,
  type ExpectedStream,
  expectStream,
  type WholeAnswer,
  withTypeNames,
} from './incremental/expected-stream.ts'
export { readUsages, type Selection } from './incremental/usages.ts'
export { protocolComplaints, type ProtocolOptions, StreamProtocol } from './incremental/stream-protocol.ts'
export {
  type Completed,
  type Incremental,
  type MergedResponse,
  mergeParts,
  type Pending,
  type ResponsePath,
  type StreamError,
  type StreamPart,
  valueAt,
} from '@switchyard/incremental-delivery'
