export {
  type Constellation,
  GRAPH,
  type OnRealServers,
  startDistributed,
  startEmbedded,
  startOnRealServers,
  waitForReady,
} from './constellation.ts'
export { type LoadReport, startLoad, wrongAnswers } from './load.ts'
export { type Finished, freePorts, Program, REPOSITORY, runSwitchyard } from './process.ts'
export { publishShop, waitForVariant } from './set-up.ts'
export { type GraphQLAnswer, LINK, openShop, query, type Shop, SHOP_QUERY, variantOf } from './shop.ts'
