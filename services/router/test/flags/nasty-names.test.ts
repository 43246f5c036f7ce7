/**
 * Names that break what looks names up, decodes or cuts them. What is configured answers; everything else is
 * base.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const CONFIGURED = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'then',
  'size',
  'get',
  'base',
  'null',
  'undefined',
  'true',
  '0',
  '1e3',
  'a.b/c@d-e_f',
  'x'.repeat(100),
  'Next',
]

const UNKNOWN = [
  '__proto__',
  'valueOf',
  'next',
  'NEXT',
  'Constructor',
  'constructor.name',
  'a.b/c@d-e_',
  'x'.repeat(99),
  'x'.repeat(101),
  'x'.repeat(10_000),
  '"Next"',
  "'Next'",
  'Ne%78t',
  'Next;true',
  'Next true',
  '-',
  '*',
  '../Next',
  '${Next}',
]

describe('flags of every name that is allowed', () => {
  const stack = new AsyncDisposableStack()
  let shop: Shop
  let router: TestRouter

  beforeAll(async () => {
    shop = stack.use(await startShop())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: shop.base,
      flags: Object.fromEntries(CONFIGURED.map((name) => [name, shop.flag])),
    })
    router = stack.use(await routerOn(world))
    await router.ready
  })
  afterAll(() => stack.disposeAsync())

  const answer = async (headers: Record<string, string | string[]>) => {
    const reply = await post(router, { query: '{ version }' }, headers)
    expect(reply.status).toBe(200)
    const line = router.logs.findLast(({ event }) => event === 'request.answered')
    return {
      version: reply.json.data?.['version'],
      echo: reply.headers['x-feature-flag'],
      reason: line?.['flagReason'],
      logged: line?.['flag'],
      requested: line?.['requestedFlag'],
    }
  }
  const hit = (name: string, reason: 'header' | 'cookie') => ({
    version: 'products-next',
    echo: name,
    reason,
    logged: name,
    requested: undefined,
  })
  const base = (reason: 'unknown' | 'none', requested?: string) => ({
    version: 'products',
    echo: undefined,
    reason,
    logged: null,
    requested,
  })

  it.each(CONFIGURED)('are chosen by header and by cookie, however it is written: %s', async (name) => {
    expect(await answer({ 'x-feature-flag': name })).toEqual(hit(name, 'header'))
    expect(await answer({ 'x-feature-flag': `\t ${name}  ` })).toEqual(hit(name, 'header'))
    expect(await answer({ 'x-feature-flag': [name, 'other'] })).toEqual(hit(name, 'header'))
    expect(await answer({ 'x-feature-flag': ` ${name} ,other` })).toEqual(hit(name, 'header'))
    for (const value of [
      name,
      `"${name}"`,
      encodeURIComponent(name),
      `"${encodeURIComponent(name)}"`,
      percent(name),
    ]) {
      expect(await answer({ cookie: `feature_flag=${value}` }), value).toEqual(hit(name, 'cookie'))
      expect(await answer({ cookie: `a=b; feature_flag = ${value} ;c=d` }), value).toEqual(
        hit(name, 'cookie'),
      )
      expect(await answer({ 'x-feature-flag': ' ', cookie: `feature_flag=${value}` }), value).toEqual(
        hit(name, 'cookie'),
      )
    }
    expect(await answer({ cookie: [`feature_flag=${name}; feature_flag=other`] })).toEqual(
      hit(name, 'cookie'),
    )
  })

  it.each(CONFIGURED)('are not found by what is only like their name: %s', async (name) => {
    const twice = percent(percent(name))
    expect(await answer({ cookie: `feature_flag=${twice}` })).toEqual(
      base('unknown', percent(name).slice(0, 100)),
    )
    expect(await answer({ 'x-feature-flag': percent(name) })).toEqual(
      base('unknown', percent(name).slice(0, 100)),
    )
    expect(await answer({ 'x-feature-flag': `"${name}"` })).toEqual(
      base('unknown', `"${name}"`.slice(0, 100)),
    )
    expect(await answer({ cookie: `Feature_Flag=${name}; x-feature_flag=${name}` })).toEqual(base('none'))
  })

  it.each(UNKNOWN)('are not what an unknown name finds, whatever the cookie says: %s', async (name) => {
    const expected = base('unknown', name.slice(0, 100))
    expect(await answer({ 'x-feature-flag': name })).toEqual(expected)
    expect(await answer({ 'x-feature-flag': name, cookie: 'feature_flag=Next' })).toEqual(expected)
    expect(await answer({ cookie: `feature_flag=${encodeURIComponent(name)}` })).toEqual(expected)
  })

  it.each([
    ['no value', 'feature_flag='],
    ['no equals sign', 'feature_flag'],
    ['blanks', 'feature_flag=   '],
    ['empty quotes', 'feature_flag=""'],
    ['quoted blanks', 'feature_flag="  "'],
    ['encoded blanks', 'feature_flag=%20%09'],
    ['semicolons only', ';;;'],
    ['the name of another cookie', 'xfeature_flag=Next; feature_flagx=Next'],
  ])('are not named by a cookie with %s', async (_, cookie) => {
    expect(await answer({ cookie })).toEqual(base('none'))
    expect(await answer({ cookie, 'x-feature-flag': '  ' })).toEqual(base('none'))
  })

  it('are named by the first cookie of the name alone, also when that one is empty', async () => {
    expect(await answer({ cookie: 'feature_flag=; feature_flag=Next' })).toEqual(base('none'))
    expect(await answer({ cookie: 'feature_flag=%zz; feature_flag=Next' })).toEqual(base('unknown', '%zz'))
    expect(await answer({ cookie: 'feature_flag="Next; a=b' })).toEqual(base('unknown', '"Next'))
  })
})

/** Every character as its code. */
function percent(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
