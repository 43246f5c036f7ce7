import { describeLoad } from './load.ts'

describeLoad('a router with some deferred streams', { streams: 50, leavers: 25, swaps: 8 })
