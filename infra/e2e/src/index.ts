export { runCommand } from './command-line.ts'
export {
  type Constellation,
  GRAPH,
  type OnRealServers,
  type ProgramOptions,
  type Run,
  type StartOptions,
  startDistributed,
  startEmbedded,
  startOnRealServers,
  waitForReady,
} from './constellation.ts'
export { FlagLoad } from './flag-load.ts'
export {
  BASE,
  type FlaggedShop,
  openFlaggedShop,
  pairOf,
  publishFlaggedShop,
  type ShopFlag,
} from './flagged-shop.ts'
export { listeningPorts } from './listening-ports.ts'
export { type LoadBalancer, startLoadBalancer } from './load-balancer.ts'
export { MEASURABLE, measureMemory, type Memory } from './memory.ts'
export { freePorts } from '@switchyard/testkit'
export {
  type Finished,
  type LogEvent,
  Program,
  REPOSITORY,
  runSwitchyard,
  type ServiceProgram,
  SpawnedProgram,
} from '@switchyard/lab'
export { DEFERRED_REQUEST, SHOP_REQUESTS, startShopLoad } from './shop-load.ts'
export { publishShop, waitForVariant } from './set-up.ts'
export { toggleFlag } from './toggles.ts'
export {
  CATALOGUE_SDL,
  type GraphQLAnswer,
  LINK,
  openShop,
  query,
  type Shop,
  SHOP_QUERY,
  variantOf,
} from './shop.ts'
