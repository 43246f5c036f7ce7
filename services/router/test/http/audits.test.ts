/**
 * The audits that the authors of the specification of GraphQL over HTTP publish, each as a test
 * (https://github.com/graphql/graphql-http#audit).
 */
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let url = ''
beforeAll(async () => {
  url = stack.use(await startShopRouter()).router.graphqlUrl
})
afterAll(() => stack.disposeAsync())

const audits = serverAudits({ url: () => url, fetchFn: fetch })

describe('GraphQL over HTTP', () => {
  it('is audited', () => {
    expect(audits.length).toBeGreaterThan(50)
  })

  it.each(audits)('$id: $name', async (audit) => {
    const result = await audit.fn()
    expect(result.status, 'reason' in result ? result.reason : '').toBe('ok')
  })
})
