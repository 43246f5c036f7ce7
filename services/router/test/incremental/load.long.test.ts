/** On two cores about a minute. */
import { isLongRun } from '@switchyard/testkit'
import { describeLoad } from './load.ts'

const swaps = isLongRun() ? 100 : 30

describeLoad('a router with many deferred streams', { streams: 1000, leavers: 500, deaf: 200, swaps })
