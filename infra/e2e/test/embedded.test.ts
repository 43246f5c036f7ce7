import { startEmbedded } from '../src/index.ts'
import { describeScenario } from './scenario.ts'

describeScenario('one process on embedded storage', startEmbedded)
