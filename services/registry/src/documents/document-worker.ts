/** The module of the thread that reads manifests of persisted documents. */
import { serveTasks } from '@switchyard/worker-host'
import { carryOut, type DocumentAnswer, type ManifestTask } from './document-task.ts'

serveTasks<ManifestTask, DocumentAnswer>({ run: carryOut })
