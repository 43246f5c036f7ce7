import { boundedLabels } from './bounded-labels.ts'

boundedLabels(10_000)
