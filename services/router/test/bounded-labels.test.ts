import { boundedLabels } from './bounded-labels.ts'

boundedLabels(200)
