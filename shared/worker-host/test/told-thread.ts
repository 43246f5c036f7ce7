/** A thread that does what a task tells it. */
import { setTimeout as pause } from 'node:timers/promises'
import { serveTasks } from '../src/index.ts'

export type Told =
  | 'answer'
  | 'throw'
  | 'reject'
  | 'exit'
  | 'loop'
  | 'sleep'
  | 'eat memory'
  | 'exit soon'
  | 'hear'

const heard: string[] = []

serveTasks<Told, string, string>({
  async run(told) {
    switch (told) {
      case 'answer':
        return 'answered'
      case 'hear':
        return heard.join(',')
      case 'throw':
      case 'reject':
        if (told === 'reject') await pause(1)
        throw new Error('the task fell over')
      case 'exit':
        process.exit(3)
      case 'exit soon':
        setTimeout(() => process.exit(4), 20)
        return 'exits'
      case 'loop':
        for (;;) Math.random()
      case 'sleep':
        await pause(400)
        return 'slept'
      case 'eat memory':
        return eaten([])
      default:
        return told satisfies never
    }
  },
  hear: (notice) => void heard.push(notice),
})

function eaten(list: unknown[]): never {
  for (;;) list.push([Math.random()])
}
