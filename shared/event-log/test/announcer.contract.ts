/** What every announcer promises, whatever carries its notices. */
import { describe, expect, it } from 'vitest'
import { type Announcer, InvalidSubjectError } from '../src/index.ts'
import { waitFor } from '@switchyard/testkit'

export interface AnnouncerPlace extends AsyncDisposable {
  /** Two announcers that hear each other; the same one twice where there is only one process. */
  open(onError: (error: unknown) => void): Promise<{ readonly near: Announcer; readonly far: Announcer }>
}

type Notice = readonly [subject: string, message: unknown]

export function describeAnnouncer(name: string, openPlace: () => Promise<AnnouncerPlace>): void {
  describe(`announcer ${name}`, () => {
    it('carries a message to everyone who listens to its subject, and to nobody else', async () => {
      await using place = await openPlace()
      const { near, far } = await place.open(() => {})
      const exact: Notice[] = []
      const below: Notice[] = []
      const other: Notice[] = []
      far.subscribe('router.status.shop.web.one', (message, subject) => exact.push([subject, message]))
      far.subscribe('router.status.>', (message, subject) => below.push([subject, message]))
      far.subscribe('router.status.shop', (message, subject) => other.push([subject, message]))
      far.subscribe('composer.>', (message, subject) => other.push([subject, message]))
      await untilHeard(near, 'router.status.shop.web.two', below)
      near.announce('router.status.shop.web.one', { revision: 7 })
      await waitFor(
        'both to hear it',
        () => exact.length === 1 && below.some(([, message]) => isRevision(message)),
      )
      expect(exact).toEqual([['router.status.shop.web.one', { revision: 7 }]])
      expect(other).toEqual([])
    })

    it('stops when the subscription is disposed', async () => {
      await using place = await openPlace()
      const { near, far } = await place.open(() => {})
      const kept: Notice[] = []
      const dropped: Notice[] = []
      far.subscribe('config.shop.web', (message, subject) => kept.push([subject, message]))
      const subscription = far.subscribe('config.shop.web', (message, subject) =>
        dropped.push([subject, message]),
      )
      await untilHeard(near, 'config.shop.web', kept)
      await waitFor('the other one to hear it too', () => dropped.length === kept.length)
      subscription[Symbol.dispose]()
      const before = dropped.length
      near.announce('config.shop.web', { last: true })
      await waitFor('the notice after it', () => kept.length > before)
      expect(dropped).toHaveLength(before)
    })

    it('reports a handler that throws and goes on with the next message', async () => {
      await using place = await openPlace()
      const errors: unknown[] = []
      const { near, far } = await place.open((error) => errors.push(error))
      const heard: Notice[] = []
      far.subscribe('config.shop.web', (message, subject) => {
        heard.push([subject, message])
        throw new Error(`cannot handle notice ${heard.length}`)
      })
      await untilHeard(near, 'config.shop.web', heard)
      const before = heard.length
      near.announce('config.shop.web', { next: true })
      await waitFor('the next one', () => heard.length > before && errors.length === heard.length)
      expect(errors[0]).toMatchObject({ message: 'cannot handle notice 1' })
    })

    it('does not run handlers inside the call that announces', async () => {
      await using place = await openPlace()
      const { near, far } = await place.open(() => {})
      const heard: Notice[] = []
      far.subscribe('config.shop.web', (message, subject) => heard.push([subject, message]))
      near.announce('config.shop.web', {})
      expect(heard).toEqual([])
      await untilHeard(near, 'config.shop.web', heard)
    })

    it('refuses subjects with wildcards or spaces', async () => {
      await using place = await openPlace()
      const { near } = await place.open(() => {})
      expect(() => near.announce('config.>', {})).toThrow(InvalidSubjectError)
      expect(() => near.announce('config.a b', {})).toThrow(InvalidSubjectError)
      expect(() => near.subscribe('config.*.web', () => {})).toThrow(InvalidSubjectError)
    })

    it('is silent after it was closed', async () => {
      await using place = await openPlace()
      const { near, far } = await place.open(() => {})
      const heard: Notice[] = []
      far.subscribe('config.shop.web', (message, subject) => heard.push([subject, message]))
      await untilHeard(near, 'config.shop.web', heard)
      await near[Symbol.asyncDispose]()
      expect(() => near.announce('config.shop.web', {})).not.toThrow()
    })
  })
}

/**
 * A subscription takes effect some time after the call, so the first notice is repeated until it is heard.
 */
async function untilHeard(announcer: Announcer, subject: string, heard: readonly Notice[]): Promise<void> {
  await waitFor('the subscription to take effect', () => {
    if (heard.length > 0) return true
    announcer.announce(subject, { probe: true })
    return false
  })
}

function isRevision(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'revision' in message
}
