/** The module of the thread that reads manifests of persisted documents. */
import { serveTasks } from '@switchyard/worker-host'
import { carryOut, type DocumentAnswer, type DocumentTask } from './document-task.ts'

serveTasks<DocumentTask, DocumentAnswer>({ run: carryOut })
