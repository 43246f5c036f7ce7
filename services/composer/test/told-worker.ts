/** Composes, unless a comment in a schema tells what to do instead. */
import { existsSync } from 'node:fs'
import { runTask } from '../src/lanes/compose-task.ts'
import { serveCompositions } from '../src/lanes/serve-compositions.ts'

serveCompositions((task) => {
  const told = task.subgraphs.map(({ sdl }) => /^# do: (\w+)/.exec(sdl)?.[1]).find((one) => one !== undefined)
  switch (told) {
    case 'endless':
      for (;;) Math.random()
    case 'crash':
      throw new Error('out of everything')
    case 'grow':
      return growing([])
    case 'sleep':
      sleep(1000)
      return runTask(task)
    case 'hold':
      while (task.subgraphs.some(isHeld)) sleep(10)
      return runTask(task)
    default:
      return runTask(task)
  }
})

/** Whether the file is missing that the schema waits for. */
function isHeld({ sdl }: { readonly sdl: string }): boolean {
  const path = /^# do: hold (\S+)/.exec(sdl)?.[1]
  return path !== undefined && !existsSync(path)
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

function growing(list: unknown[]): never {
  for (;;) list.push([Math.random()])
}
