import { isLongRun } from '@switchyard/testkit'
import { boundedLabels } from './bounded-labels.ts'

boundedLabels(isLongRun() ? 10_000 : 3_000)
