/** Rollouts from the command line to the answers of routers, told once and run on every set-up. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bucketOf } from '@switchyard/rollouts'
import { waitFor } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Constellation,
  type Finished,
  GRAPH,
  openShop,
  publishShop,
  query,
  type Shop,
  startEmbedded,
  type StartOptions,
  variantOf,
  waitForReady,
} from '../index.ts'

const SALT = 'winter'
const HALF = 5000
const USERS = Array.from({ length: 40 }, (_, index) => `user-${index}`)
/** Users of the audience, by the half of the buckets that theirs is in. */
const INSIDE = USERS.filter((user) => bucketOf(SALT, user) < HALF)
const OUTSIDE = USERS.filter((user) => bucketOf(SALT, user) >= HALF)

type Headers = Readonly<Record<string, string>>

function from(user: string | undefined, region = 'eu'): Headers {
  return { 'X-User': user ?? '', 'X-Region': region }
}

/** The flag that the answer names, and what answered. */
async function answerTo(url: string, headers: Headers): Promise<string> {
  const answer = await query(url, headers)
  return `${variantOf(answer)}, ${answer.headers.get('x-feature-flag') ?? 'no flag'}`
}

const NEXT = 'next, next'
const BASE = 'base, no flag'

/** The steps build on each other. */
export function describeRollouts(
  setUp: string,
  start: (options: StartOptions) => Promise<Constellation>,
): void {
  describe(`rollouts (${setUp})`, () => {
    let shop: Shop
    let system: Constellation
    beforeAll(async () => {
      shop = await openShop()
      system = await start({})
      await publishShop(system, shop)
    }, 90_000)
    afterAll(async () => {
      await system?.[Symbol.asyncDispose]()
      await shop?.[Symbol.asyncDispose]()
    })

    async function succeed(...args: string[]): Promise<Finished> {
      const done = await system.cli(...args)
      expect(done.code, `${args.join(' ')}\n${done.stderr}\n${system.report()}`).toBe(0)
      return done
    }

    async function revisionOf(one: Constellation): Promise<number> {
      const { stdout } = await one.cli('graph', 'get', GRAPH, '--json')
      return JSON.parse(stdout).result.revision
    }

    /** Ends when every router serves the change, so that nobody has to wait for it. */
    async function rollout(...args: string[]): Promise<void> {
      const { stdout } = await succeed('rollout', ...args, '--require-live', '--wait', '120')
      const routers = system.routerUrls.length
      expect(stdout).toContain(`live on ${routers}/${routers} routers`)
    }

    async function everyRouterAnswers(headers: Headers, expected: string): Promise<void> {
      for (const url of system.routerUrls)
        expect(await answerTo(url, headers), `${JSON.stringify(headers)}\n${system.report()}`).toBe(expected)
    }

    it('give the flag to a part of an audience, and base to everybody else', async () => {
      await everyRouterAnswers(from(INSIDE[0]), BASE)
      const where = ['--where', 'header:X-Region in eu,us']
      const share = ['--percent', '50', '--salt', SALT, '--key', 'header:X-User']
      await rollout('create', 'winter', '--graph', GRAPH, '--flag', 'next', ...share, ...where)
      for (const user of INSIDE) await everyRouterAnswers(from(user), NEXT)
      for (const user of OUTSIDE) await everyRouterAnswers(from(user), BASE)
      await everyRouterAnswers(from(INSIDE[0], 'us'), NEXT)
      await everyRouterAnswers(from(INSIDE[0], 'asia'), BASE)
      await everyRouterAnswers({ 'X-Region': 'eu' }, BASE)
    })

    it('leave alone who names a flag, whatever comes of it', async () => {
      await everyRouterAnswers({ ...from(OUTSIDE[0]), 'X-Feature-Flag': 'next' }, NEXT)
      await everyRouterAnswers({ ...from(OUTSIDE[0]), Cookie: 'feature_flag=next' }, NEXT)
      await everyRouterAnswers({ ...from(INSIDE[0]), 'X-Feature-Flag': 'no-such-flag' }, BASE)
      await everyRouterAnswers({ ...from(INSIDE[0]), 'X-Feature-Flag': '' }, NEXT)
    })

    it('answer equal queries of the same instant each from the side of its user', async () => {
      const asked = Array.from({ length: 400 }, (_, index) => USERS[index % USERS.length] ?? '')
      for (const url of system.routerUrls) {
        const answers = await Promise.all(asked.map((user) => answerTo(url, from(user))))
        expect(answers).toEqual(asked.map((user) => (INSIDE.includes(user) ? NEXT : BASE)))
      }
    })

    it('are explained as routers decide', async () => {
      for (const user of [...INSIDE.slice(0, 3), ...OUTSIDE.slice(0, 3)]) {
        const asked = ['--header', `X-User: ${user}`, '--header', 'X-Region: eu', '--json']
        const { stdout } = await succeed('rollout', 'explain', GRAPH, ...asked)
        const kind = INSIDE.includes(user) ? 'inside' : 'control'
        expect(JSON.parse(stdout).result.decision).toMatchObject({ kind, rollout: 'winter' })
      }
    })

    it('are raised, aborted and resumed, in force on every router when the command ends', async () => {
      await rollout('update', 'winter', '--percent', '100')
      await everyRouterAnswers(from(OUTSIDE[0]), NEXT)
      await rollout('abort', 'winter', '--reason', 'errors')
      await everyRouterAnswers(from(INSIDE[0]), BASE)
      await everyRouterAnswers({ 'X-Feature-Flag': 'next' }, NEXT)
      await rollout('resume', 'winter')
      await everyRouterAnswers(from(OUTSIDE[0]), NEXT)
      await rollout('update', 'winter', '--percent', '50')
      await everyRouterAnswers(from(OUTSIDE[0]), BASE)
      await everyRouterAnswers(from(INSIDE[0]), NEXT)
    })

    it('are tried in their order', async () => {
      const first = ['--where', 'header:X-User starts_with user-', '--before', 'winter']
      await rollout('create', 'staff', '--graph', GRAPH, '--flag', 'next', '--percent', '100', ...first)
      await everyRouterAnswers(from(OUTSIDE[0]), NEXT)
      await rollout('update', 'staff', '--last')
      await everyRouterAnswers(from(OUTSIDE[0]), BASE)
      await everyRouterAnswers(from(OUTSIDE[0], 'asia'), NEXT)
      await rollout('delete', 'staff', '--force')
    })

    it('select nobody while their flag is off', async () => {
      await succeed('ff', 'disable', 'next', '--require-live', '--wait', '120')
      await everyRouterAnswers(from(INSIDE[0]), BASE)
      expect((await succeed('rollout', 'get', 'winter')).stdout).toContain('not served: the flag is disabled')
      await succeed('ff', 'enable', 'next', '--require-live', '--wait', '120')
      await everyRouterAnswers(from(INSIDE[0]), NEXT)
    })

    it('are followed while the graph is held on a revision, and raised by no rollback', async () => {
      await rollout('update', 'winter', '--percent', '100')
      const revision = await revisionOf(system)
      await rollout('update', 'winter', '--percent', '0')
      const held = ['config', 'rollback', GRAPH, '--to', String(revision), '--force']
      await succeed(...held, '--require-live', '--wait', '120')
      await everyRouterAnswers(from(INSIDE[0]), BASE)
      await rollout('update', 'winter', '--percent', '50')
      await everyRouterAnswers(from(INSIDE[0]), NEXT)
      await everyRouterAnswers(from(OUTSIDE[0]), BASE)
      await succeed('config', 'release', GRAPH, '--require-live', '--wait', '120')
      await everyRouterAnswers(from(INSIDE[0]), NEXT)
    })

    it('are known to a router that starts again', async () => {
      for (const program of system.programs.values()) {
        if (!/^(?:router|up)/.test(program.name)) continue
        await program.kill9()
        await program.start()
      }
      for (const url of system.routerUrls) await waitForReady(system, url)
      for (const user of INSIDE) await everyRouterAnswers(from(user), NEXT)
      for (const user of OUTSIDE) await everyRouterAnswers(from(user), BASE)
    })

    it('move to another installation with their salts, so that nobody changes sides', async () => {
      const list = async (of: Constellation) => {
        const { stdout } = await of.cli('rollout', 'list', '--json')
        const { rollouts } = JSON.parse(stdout).result as { rollouts: { name: string; salt: string }[] }
        return rollouts.map(({ name, salt }) => [name, salt])
      }
      await rollout('create', 'own-salt', '--graph', GRAPH, '--flag', 'next', '--key', 'header:X-User')
      const before = await list(system)
      expect(before).toEqual([
        ['winter', SALT],
        ['own-salt', expect.stringMatching(/^own-salt-[0-9a-f]{16}$/)],
      ])
      const { stdout } = await succeed('registry', 'export')
      await using other = await startEmbedded()
      await writeFile(join(other.folder, 'moved.ndjson'), stdout)
      const imported = await other.cli('registry', 'import', 'moved.ndjson')
      expect(imported.code, imported.stderr).toBe(0)
      expect(await list(other)).toEqual(before)
      const [url = ''] = other.routerUrls
      await waitFor('the graph to be served', async () => (await answerTo(url, from(INSIDE[0]))) === NEXT)
      for (const user of INSIDE) expect(await answerTo(url, from(user))).toBe(NEXT)
      for (const user of OUTSIDE) expect(await answerTo(url, from(user))).toBe(BASE)
      // No percentage of the history was in force on the way.
      expect(await revisionOf(other)).toBe((await revisionOf(system)) + 1)
    })
  })
}
