/** The module of a thread that composes and compares. */
import { workerData } from 'node:worker_threads'
import { serveTasks } from '@switchyard/worker-host'
import { type CompositionTask, runTask, type TaskLibrary, type TaskResult } from './composition-task.ts'

const library: TaskLibrary = workerData

serveTasks<CompositionTask, TaskResult>({ run: (task) => runTask(library, task) })
