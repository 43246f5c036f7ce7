/** The module of the thread that checks large SDL. */
import type { Problem } from '@switchyard/contracts'
import { serveTasks } from '@switchyard/worker-host'
import { type NamedSdl, sdlProblem } from './sdl.ts'

serveTasks<NamedSdl, Problem | null>({ run: ({ name, sdl }) => sdlProblem(name, sdl) })
