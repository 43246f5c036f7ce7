import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { URL_OF } from '../world.ts'

export const authentication: readonly Case[] = [
  {
    rules: ['auth.bearer'],
    it: 'every route but health and OpenAPI wants a valid key as Bearer token',
    async run({ system }) {
      const url = system.registryUrls[0] ?? ''
      const wrong = [
        {},
        { authorization: '' },
        { authorization: 'Bearer ' },
        { authorization: system.apiKey },
        { authorization: `Basic ${Buffer.from(`x:${system.apiKey}`).toString('base64')}` },
        { authorization: `Bearer ${system.apiKey}x` },
        { authorization: `Bearer ${system.apiKey.slice(0, -1)}` },
        { 'x-api-key': system.apiKey },
      ]
      for (const headers of wrong) {
        const response = await fetch(`${url}/v1/namespaces`, { headers: headers as Record<string, string> })
        expect(response.status, JSON.stringify(headers)).toBe(401)
        expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED' })
      }
      for (const path of ['/health/live', '/health/ready', '/v1/openapi.json']) {
        expect((await fetch(`${url}${path}`)).status, path).toBe(200)
      }
    },
  },
  {
    rules: ['auth.content-type'],
    it: 'a write without a JSON content type is refused and changes nothing',
    async run({ system }) {
      const url = `${system.registryUrls[0]}/v1/namespaces`
      const name = 'never-made'
      const bodies = [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'multipart/form-data; boundary=x' },
      ]
      for (const headers of bodies) {
        const response = await fetch(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${system.apiKey}`, ...headers },
          body: JSON.stringify({ name }),
        })
        expect(response.status, headers['content-type']).toBe(415)
        expect(await response.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
      }
      const { body } = await system.manage('GET', '/v1/namespaces')
      expect(JSON.stringify(body)).not.toContain(name)
    },
  },
  {
    rules: ['auth.routing-url'],
    it: 'routing URLs are http or https, without user information and fragment',
    async run(world) {
      const space = await world.space()
      await space.publish('base', 'type Query { a: Int }', [])
      const rule = 'a routing URL is'
      const noScheme = 'http:// or https:// is missing; did you mean "http://localhost'
      const wrong = [
        ['ftp://localhost/graphql', rule],
        ['file:///etc/passwd', rule],
        ['javascript:alert(1)', rule],
        ['localhost:4000/graphql', noScheme],
        ['//localhost/graphql', noScheme],
        ['http://user:secret@localhost/graphql', rule],
        ['http://user@localhost/graphql', rule],
        ['http://localhost/graphql#fragment', rule],
        ['http://localhost/graphql#', rule],
        ['http://', rule],
        ['', rule],
      ] as const
      for (const [routingUrl, reason] of wrong) {
        const refusals = await Promise.all([
          space.refused('POST', space.path('subgraphs'), { name: 's', routingUrl }),
          space.refused('POST', space.path('feature-subgraphs'), { name: 's', routingUrl, subgraph: 'base' }),
          space.refused('PUT', space.path('subgraphs', 's', 'schema'), {
            sdl: 'type Query { b: Int }',
            routingUrl,
          }),
        ])
        for (const { status, code, detail } of refusals) {
          expect([status, code], routingUrl).toEqual([400, 'INVALID_REQUEST'])
          expect(detail, routingUrl).toContain(reason)
          expect(detail).not.toContain('secret')
        }
      }
      for (const [at, routingUrl] of [
        'https://example.com/graphql?a=b',
        'HTTP://LOCALHOST:1/',
        URL_OF,
      ].entries()) {
        await space.write('POST', space.path('subgraphs'), { name: `s${at}`, routingUrl })
      }
    },
  },
  {
    rules: ['auth.secrets'],
    it: 'no program has written the key into its log',
    async run({ system }) {
      await system.manage('GET', '/v1/namespaces')
      for (const program of system.programs.values()) {
        expect(program.output).not.toContain(system.apiKey)
        expect(program.output).not.toContain(system.apiKey.split('_').at(-1))
      }
    },
  },
]
