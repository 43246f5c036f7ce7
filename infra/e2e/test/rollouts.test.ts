import { startEmbedded } from '../src/index.ts'
import { describeRollouts } from '../src/scenarios/rollouts.ts'

describeRollouts('one process on embedded storage', startEmbedded)
