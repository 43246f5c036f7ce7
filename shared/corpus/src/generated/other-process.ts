/** Runs the scripts of this folder that need a process of their own. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Printed plans of worlds, made by another process. */
export function plansElsewhere(worlds: readonly number[]): unknown {
  return run('print-plans.ts', worlds)
}

/** How often a stitched gateway agrees with the one server. */
export function hearWitness(worlds: readonly number[]): ReadonlyMap<string, number> {
  return new Map(run('hear-witness.ts', worlds) as [string, number][])
}

function run(script: string, worlds: readonly number[]): unknown {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const printed = execFileSync(process.execPath, [file, ...worlds.map(String)], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(printed)
}
