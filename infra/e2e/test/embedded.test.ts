import { startEmbedded } from '../src/index.ts'
import { describeScenario } from '../src/scenarios/publish-to-serve.ts'

describeScenario('one process on embedded storage', startEmbedded)
