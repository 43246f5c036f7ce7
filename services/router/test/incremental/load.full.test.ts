/** On two cores about a minute. */
import { describeLoad } from './load.ts'

describeLoad('a router with many deferred streams', { streams: 1000, leavers: 500, deaf: 200, swaps: 100 })
