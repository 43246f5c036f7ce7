/** Clients whose router stops, with the settings that they have by themselves. */
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { RetryLink } from '@apollo/client/link/retry'
import { createClient } from 'graphql-ws'
import { expect, it } from 'vitest'
import { type RouterPair, startRouterPair } from '../support/router-pair.ts'
import { CHANGED, changed, Heard, priced, stopBetweenEvents } from './heard.ts'

it('the client of graphql-ws gets the next event from another router', async () => {
  await using pair = await startRouterPair()
  const client = createClient({ url: pair.socketUrl })
  const heard = new Heard()
  client.subscribe({ query: CHANGED }, heard)
  await stopBetweenEvents(pair, heard)
  expect([heard.results, heard.end]).toEqual([[{ data: priced('1') }, { data: priced('2') }], null])
  await client.dispose()
})

/** Subscribes with Apollo Client, whose links are these and one for HTTP. */
function subscribeWithApollo({ url }: RouterPair, links: readonly ApolloLink[]) {
  const link = ApolloLink.from([...links, new HttpLink({ uri: url })])
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  const heard = new Heard()
  const subscription = client.subscribe({ query: gql(CHANGED) }).subscribe({
    next: ({ data, error }) => (error === undefined ? heard.next(data) : heard.error(error)),
    error: (error: unknown) => heard.error(error),
    complete: () => heard.complete(),
  })
  const stop = (): void => {
    subscription.unsubscribe()
    client.stop()
  }
  return { heard, stop }
}

it('Apollo Client gets the next event from another router by its RetryLink', async () => {
  await using pair = await startRouterPair()
  const { heard, stop } = subscribeWithApollo(pair, [new RetryLink()])
  await stopBetweenEvents(pair, heard)
  expect([heard.results, heard.end]).toMatchObject([[priced('1'), priced('2')], null])
  stop()
})

it('Apollo Client without RetryLink tells the application that the router stops', async () => {
  await using pair = await startRouterPair()
  const { heard, stop } = subscribeWithApollo(pair, [])
  await pair.world.subscribed(1)
  pair.world.events.send(changed('1'))
  await heard.has(1)
  await pair.stopFirst()
  await heard.isOver()
  expect(heard.end).toMatchObject({ errors: [{ extensions: { code: 'DRAINING' } }] })
  stop()
})
