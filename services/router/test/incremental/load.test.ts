import { describeLoad } from './load.ts'

describeLoad('a router with some deferred streams', { streams: 50, leavers: 25, deaf: 10, swaps: 5 })
