import { startEmbedded } from '../../src/index.ts'
import { SYSTEM_CHAPTERS } from './chapters.ts'
import { describeProductRules } from './describe-product-rules.ts'

describeProductRules('one process on embedded storage', startEmbedded, SYSTEM_CHAPTERS)
