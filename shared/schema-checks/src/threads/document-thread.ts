/** The module of a thread that tries documents. */
import { serveTasks } from '@switchyard/worker-host'
import { type DocumentResult, type DocumentTask, documentTrial } from './document-task.ts'

serveTasks<DocumentTask, DocumentResult>({ run: documentTrial() })
