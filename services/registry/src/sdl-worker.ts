/** A thread that checks large SDL, one text at a time. */
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { sdlProblem } from './sdl.ts'

const Question = z.object({ id: z.int(), name: z.string(), sdl: z.string() })

parentPort?.on('message', (message: unknown) => {
  const { id, name, sdl } = Question.parse(message)
  parentPort?.postMessage({ id, problem: sdlProblem(name, sdl) }, [])
})
