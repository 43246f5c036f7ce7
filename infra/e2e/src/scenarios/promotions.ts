/** Promotions of the shop's flag `next`: what clients get meanwhile, and what is in each revision. */
import { waitFor } from '@switchyard/testkit'
import { expect } from 'vitest'
import { type Constellation, GRAPH, query, variantOf } from '../index.ts'

const PROMOTE = '/v1/feature-flags/default/next/promote'
const FLAGGED = { 'X-Feature-Flag': 'next' }

/** Promotes the flag, or undoes that, without waiting for what comes of it. */
export async function promote(system: Constellation, action: 'promote' | 'undo'): Promise<void> {
  const reply = await system.manage(action === 'promote' ? 'POST' : 'DELETE', `${PROMOTE}?wait=0`, {})
  expect(reply, system.report()).toMatchObject({ status: 200, body: { changed: true } })
}

/** Waits until requests that name no flag get this variant from every router. */
export async function waitForBase(system: Constellation, variant: 'base' | 'next'): Promise<void> {
  await Promise.all(
    system.routerUrls.map((url) =>
      waitFor(`${url} to answer ${variant}`, async () => {
        const got = variantOf(await query(url))
        if (got !== variant) throw new Error(`${got}\n${system.report()}`)
        return true
      }),
    ),
  )
}

export type Watch = AsyncDisposable & {
  /** Ends it, and returns what clients should not have got. */
  stop(): Promise<{ readonly answers: number; readonly wrong: readonly string[] }>
}

/**
 * Asks every router without pause: who names the flag gets it at any time, and who names none gets either
 * base, never a mixture.
 */
export function watchShop(system: Constellation): Watch {
  const ended = new AbortController()
  const wrong: string[] = []
  let answers = 0
  const ask = async (url: string) => {
    while (!ended.signal.aborted) {
      const [flagged, base] = await Promise.all([query(url, FLAGGED), query(url)])
      answers += 2
      if (variantOf(flagged) !== 'next') wrong.push(`with the flag: ${variantOf(flagged)}`)
      if (!['base', 'next'].includes(variantOf(base))) wrong.push(`without a flag: ${variantOf(base)}`)
    }
  }
  const asking = Promise.all(system.routerUrls.map(ask))
  return {
    async stop() {
      ended.abort()
      await asking
      return { answers, wrong }
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      await asking
    },
  }
}

type Composition = { readonly subgraphs: readonly { readonly name: string; readonly routingUrl: string }[] }

/**
 * Expects that no revision lost the flag once it was there, that each has its content for whoever names it,
 * and that a base with the promotion and the flag are one composition. Returns how many times the base was
 * promoted.
 */
export async function expectWholeRevisions(system: Constellation, stockNext: string): Promise<number> {
  const graph = `/v1/graphs/default/${GRAPH}`
  const { body } = await system.manage('GET', `${graph}/revisions?limit=500`)
  const revisions = body['revisions'] as { revision: number; featureFlags: string[] }[]
  const isPromoted = ({ subgraphs }: Composition) =>
    subgraphs.some(({ routingUrl }) => routingUrl === stockNext)
  let promotions = 0
  let wasPromoted = false
  let isThere = false
  for (const { revision } of revisions.toReversed()) {
    const config = await system.manage('GET', `${graph}/execution-config?revision=${revision}`)
    const { base, featureFlags } = config.body as unknown as {
      base: Composition
      featureFlags: Record<string, Composition>
    }
    const flag = featureFlags['next']
    isThere ||= flag !== undefined
    if (!isThere) continue
    if (flag === undefined) throw new Error(`revision ${revision} lost the flag\n${system.report()}`)
    expect(isPromoted(flag), `the flag in revision ${revision}`).toBe(true)
    if (isPromoted(base)) expect(base, `base and flag in revision ${revision}`).toEqual(flag)
    if (isPromoted(base) && !wasPromoted) promotions += 1
    wasPromoted = isPromoted(base)
  }
  return promotions
}
