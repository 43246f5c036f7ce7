/** Composes, unless a comment in a schema tells what to do instead. */
import { runTask } from '../src/compose-task.ts'
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
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
      return runTask(task)
    default:
      return runTask(task)
  }
})

function growing(list: unknown[]): never {
  for (;;) list.push([Math.random()])
}
