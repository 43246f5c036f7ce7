/**
 * Loaded by a program that is attacked, before its own modules: writes the longest turn of its event loop to
 * the file that `SWITCHYARD_HUNT_TURNS` names. SIGUSR2 begins anew.
 */
import { writeFileSync } from 'node:fs'
import { cpuOfThread } from '../measuring/cpu-of-thread.ts'

const { SWITCHYARD_HUNT_TURNS: file = '' } = process.env
const EVERY_MS = 100

let longest = 0
let written = -1
let last = cpuOfThread()

// Neither keeps the loop from sleeping.
const turn = (): void => {
  longest = Math.max(longest, cpuOfThread() - last)
  last = cpuOfThread()
  setImmediate(turn).unref()
}
setImmediate(turn).unref()
setInterval(() => {
  if (longest === written) return
  written = longest
  writeFileSync(file, String(longest / 1000))
}, EVERY_MS).unref()
process.on('SIGUSR2', () => {
  longest = 0
  last = cpuOfThread()
})
