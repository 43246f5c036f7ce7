/**
 * The worst inputs that a search found, each with what it attacks and what it took in the first line of its
 * file.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ground } from '../src/ground/ground.ts'
import { readKeptInput } from '../src/kept-inputs.ts'
import { openTargets } from '../src/targets/all-targets.ts'
import type { Arena } from '../src/targets/target.ts'
import { openSharedGround } from './shared-router.ts'

const FOLDER = fileURLToPath(new URL('found', import.meta.url))
/** As when they were found: inputs name types by their numbers. */
const TYPES = 1000

let ground: Ground
const arenas = new Map<string, Promise<Arena>>()
beforeAll(async () => {
  ground = await openSharedGround(TYPES)
})
afterAll(async () => {
  for (const arena of arenas.values()) await (await arena)[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})

describe('inputs that were found', () => {
  it.each(readdirSync(FOLDER))('are answered as when they were found: %s', async (file) => {
    const { target: name, bytes, outcome, bytesOut } = await readKeptInput(`${FOLDER}/${file}`)
    const target = openTargets(ground).find((known) => known.name === name)
    if (target === undefined) throw new Error(`There is no target ${name}.`)
    const arena = arenas.get(name) ?? target.open()
    arenas.set(name, arena)
    const attempt = await (await arena).attempt(bytes)
    expect(attempt.outcome.complaint).toBeNull()
    expect(attempt.outcome).toMatchObject({ name: outcome, bytesOut })
  })
})
