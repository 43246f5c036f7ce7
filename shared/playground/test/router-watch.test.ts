/** How the page learns that its router is gone and is back, with questions that a test answers. */
import { describe, expect, it } from 'vitest'
import { RouterWatch } from '../src/page/router-watch.ts'
import { Store } from '../src/page/store.ts'
import type { PlaygroundState } from '../src/state.ts'

const STATE: PlaygroundState = {
  waitingFor: null,
  graphqlPath: '/graphql',
  flags: [],
  flagHeader: 'X-Feature-Flag',
  tracing: null,
}

function watched() {
  const state = new Store(STATE)
  const answers: (() => PlaygroundState)[] = []
  const planned: { readonly run: () => void; readonly ms: number }[] = []
  const page = { isHidden: false }
  const listeners: (() => void)[] = []
  const show = (isShown: boolean) => {
    page.isHidden = !isShown
    for (const listener of listeners) listener()
  }
  let seconds = 0
  const watch = new RouterWatch({
    load: async () => (answers.shift() ?? (() => STATE))(),
    state,
    now: () => new Date(++seconds * 1000),
    later: (run, ms) => void planned.push({ run, ms }),
    visibility: { isHidden: () => page.isHidden, onChange: (listener) => void listeners.push(listener) },
  })
  const fails = (message: string) => () => {
    throw new Error(message)
  }
  return { state, answers, planned, watch, fails, show }
}

describe('the watch over the router', () => {
  it('keeps since when the router has not answered, and forgets it when the router is back', async () => {
    const { answers, watch, fails } = watched()
    answers.push(fails('there is no connection to it'), fails('it answered with status 502'))
    await watch.look()
    const since = new Date(1000)
    expect(watch.silence.value).toEqual({ since, problem: 'there is no connection to it' })
    await watch.look()
    expect(watch.silence.value).toEqual({ since, problem: 'it answered with status 502' })
    await watch.look()
    expect(watch.silence.value).toBeNull()
  })

  it('takes over what the router serves now, and tells nobody where that is the same', async () => {
    const { state, answers, watch } = watched()
    let changes = 0
    state.subscribe(() => changes++)
    answers.push(
      () => ({ ...STATE }),
      () => ({ ...STATE, flags: ['sale'] }),
    )
    await watch.look()
    expect(changes).toBe(0)
    await watch.look()
    expect([changes, state.value.flags]).toEqual([1, ['sale']])
  })

  it('asks once for all who want to know at the same time', async () => {
    const { answers, watch, fails } = watched()
    answers.push(fails('gone'), () => STATE)
    await Promise.all([watch.look(), watch.look()])
    expect(answers).toHaveLength(1)
  })

  it('does not ask while the page is hidden, and asks at once when it is shown', async () => {
    const { answers, planned, watch, show } = watched()
    const asked: number[] = []
    const answer = (number: number) => () => {
      asked.push(number)
      return STATE
    }
    answers.push(answer(1), answer(2), answer(3))
    watch.start()
    show(false)
    planned[0]?.run()
    expect(asked).toEqual([])
    show(true)
    await expect.poll(() => planned.length).toBe(2)
    expect(asked).toEqual([1])
    // Before it is time again.
    show(false)
    show(true)
    await expect.poll(() => asked).toEqual([1, 2])
    planned[1]?.run()
    await expect.poll(() => planned.length).toBe(3)
    expect(asked).toEqual([1, 2, 3])
  })

  it('asks more often while the router does not answer', async () => {
    const { answers, planned, watch, fails } = watched()
    answers.push(fails('gone'))
    watch.start()
    planned[0]?.run()
    await expect.poll(() => planned.length).toBe(2)
    planned[1]?.run()
    await expect.poll(() => planned.length).toBe(3)
    expect(planned.map(({ ms }) => ms)).toEqual([5_000, 1_000, 5_000])
  })
})
