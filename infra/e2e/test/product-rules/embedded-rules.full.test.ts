import { startEmbedded } from '../../src/index.ts'
import { describeProductRules } from './describe-product-rules.ts'

describeProductRules('one process on embedded storage', startEmbedded)
