import { isLongRun } from '@switchyard/testkit'
import { describeLoad } from './load.ts'

describeLoad('a router with some deferred streams', {
  streams: 50,
  leavers: 25,
  deaf: 10,
  swaps: isLongRun() ? 8 : 5,
})
