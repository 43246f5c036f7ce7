import { startEmbedded } from '../src/index.ts'
import { describeDocuments } from '../src/scenarios/published-documents.ts'

describeDocuments('one process on embedded storage', startEmbedded)
