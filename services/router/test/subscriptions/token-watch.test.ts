/** What becomes of a subscription over HTTP whose token is not valid any more. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TokenWatch } from '../../src/subscriptions/tokens/token-watch.ts'
import { opened, settingsOf } from '../concerns/authentication/opened.ts'
import { inSeconds, newSigningKey, sign, startKeyServer } from '../support/token-issuer.ts'
import { startEventWorld } from './support/event-world.ts'
import { subscribe } from './support/read-events.ts'

const lookUpClient = () => ({ address: '127.0.0.1', name: '' })

afterEach(() => void vi.restoreAllMocks())

async function watched() {
  const stack = new AsyncDisposableStack()
  const key = await newSigningKey('a')
  const keys = stack.use(await startKeyServer(key.publicJwk))
  const { authentication } = stack.use(await opened(settingsOf({ jwks: [{ url: keys.url }] })))
  const headers = { authorization: `Bearer ${await sign(key)}` }
  const identity = await authentication.identify(headers, lookUpClient)
  if (identity === null) throw new Error('the token is good')
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return {
    keys,
    authentication,
    watch: new TokenWatch({ identity, headers, lookUpClient }, authentication),
    wait: (milliseconds: number) => void (now += milliseconds),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('the token of a subscription', () => {
  it('is checked every 30 seconds, and not more often', async () => {
    await using world = await watched()
    const { watch, wait } = world
    const asked = vi.spyOn(world.authentication, 'identify')
    wait(29_000)
    expect(watch.look()).toBeNull()
    wait(1000)
    const check = watch.look()
    expect(watch.look()).toBeNull()
    expect(await check).toBeNull()
    wait(29_000)
    expect(watch.look()).toBeNull()
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('ends it when its issuer has taken back the key', async () => {
    await using world = await watched()
    world.keys.publish((await newSigningKey('b')).publicJwk)
    await world.authentication.refresh()
    world.wait(30_000)
    expect(await world.watch.look()).toEqual({
      code: 'TOKEN_INVALID',
      message:
        'The token of this request is not valid. It is signed by a key that its issuer does not publish. Subscribe again with a new one.',
    })
  })

  it('ends it when it expires, also if nothing else happens', async () => {
    const key = await newSigningKey('a')
    await using keys = await startKeyServer(key.publicJwk)
    const settings = settingsOf({ jwks: [{ url: keys.url }] }, { clock_tolerance: '0s' })
    await using world = await startEventWorld(
      '',
      `authentication: ${JSON.stringify(settings['authentication'])}`,
    )
    const authorization = `Bearer ${await sign(key, { exp: inSeconds(4) })}`
    const reading = subscribe(world.router, { query: 'subscription { ticks }' }, { authorization })
    await world.subscribed(1)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toMatchObject([
      ['next', { errors: [{ extensions: { code: 'TOKEN_INVALID' } }] }],
      ['complete', null],
    ])
    expect(reading.text).toContain('It has expired (exp)')
    await world.subscribed(0)
  })
})
