/** Runs in a worker thread: compiles artifacts off the serving thread. */
import { buffersOf } from '@switchyard/engine'
import { serveTasks } from '@switchyard/worker-host'
import type { ArtifactContent } from '../content/artifact-content.ts'
import { type CompileAnswer, compileArtifact } from './compile-artifact.ts'

serveTasks<ArtifactContent, CompileAnswer>({
  run: compileArtifact,
  transfer: (answer) => (answer.ok ? buffersOf(answer.pieces) : []),
})
