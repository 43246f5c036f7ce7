/** On two cores about a minute. */
import { describeLoad } from './load.ts'

describeLoad('a router with many deferred streams', { streams: 1000, leavers: 500, swaps: 100 })
