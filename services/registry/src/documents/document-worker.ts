/** The module of the thread that reads manifests of persisted documents. */
import { serveTasks } from '@switchyard/worker-host'
import { type DocumentAnswer, type ManifestTask, manifestTasks } from './document-task.ts'

serveTasks<ManifestTask, DocumentAnswer>({ run: manifestTasks() })
