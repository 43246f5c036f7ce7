/** Subgraphs behind a real proxy that ends TLS. */
import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCertificate, nginxAvailable, startNginx, temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn } from '../support/router.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'

const CALLS = 60

describe.skipIf(!nginxAvailable())('a subgraph behind nginx', () => {
  it.each([
    ['TLSv1.2', false],
    ['TLSv1.3', false],
    ['TLSv1.3', true],
  ])(
    'that asks for a certificate by %s and ends connections now and then loses no call (HTTP/2: %s)',
    async (version, http2) => {
      await using use = new AsyncDisposableStack()
      const folder = use.use(await temporaryDirectory()).path
      const write = async (name: string, text: string): Promise<string> => {
        await writeFile(join(folder, name), text)
        return join(folder, name)
      }
      const authority = createCertificate({ name: 'test authority', authority: true })
      const own = createCertificate({ name: 'proxy', signedBy: authority })
      const router = createCertificate({ name: 'router', signedBy: authority })
      const ca = await write('ca.pem', authority.cert)
      const callers: unknown[] = []
      const subgraph = createServer((request, response) => {
        callers.push(request.headers['x-caller'])
        request.resume().on('end', () => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ data: { version: 'x'.repeat(callers.length * 997) } }))
        })
      })
      const port = await listenOnFreePort(subgraph)
      use.defer(() => closeServer(subgraph))
      const directives = [
        `ssl_certificate ${await write('proxy.crt', own.cert)}`,
        `ssl_certificate_key ${await write('proxy.key', own.key)}`,
        `ssl_client_certificate ${ca}`,
        'ssl_verify_client on',
        `ssl_protocols ${version}`,
        // Over HTTP/2 a call may come to the end of four connections, and then it fails.
        `keepalive_requests ${http2 ? CALLS - 10 : 7}`,
      ].join(';\n    ')
      const location = 'proxy_set_header X-Caller $ssl_client_s_dn;'
      const nginx = use.use(await startNginx(`http://127.0.0.1:${port}`, location, { http2, directives }))
      const url = `https://localhost:${nginx.port}/graphql`
      const world = use.use(await ConfigWorld.create())
      await world.publish({ revision: 1, base: buildArtifact('base', { products: url, reviews: url }) })
      const tls = `ca_file: ${ca}, cert_file: ${await write('r.crt', router.cert)}, key_file: ${await write('r.key', router.key)}`
      const settings = `{ traffic: { share_inflight: false }, subgraphs: { http2: ${http2}, tls: { ${tls} } } }`
      const running = use.use(await routerOn(world, { settings }))
      await running.ready
      const ask = async (): Promise<number> => {
        const { json } = await post(running, { query: '{ version }' })
        expect(json.errors).toBeUndefined()
        return String(json.data?.['version']).length
      }
      const lengths: number[] = []
      // One after the other, so that connections come to their end, and then many at the same time.
      for (let call = 0; call < CALLS; call++) lengths.push(await ask())
      lengths.push(...(await Promise.all(Array.from({ length: CALLS }, ask))))
      const expected = Array.from({ length: 2 * CALLS }, (_, index) => (index + 1) * 997)
      expect(lengths.toSorted((one, other) => one - other)).toEqual(expected)
      expect(new Set(callers)).toEqual(new Set(['CN=router']))
    },
  )
})
