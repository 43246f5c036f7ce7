/**
 * `defer doctor` of an https URL: HTTP/1.1 and HTTP/2 as TLS agrees on them, and certificates that nobody
 * vouches for.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { temporaryDirectory } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../run-command.ts'
import { startRouter } from './router.ts'

const Report = z.object({
  result: z.object({
    findings: z.array(z.unknown()),
    notOffered: z.array(z.object({ name: z.string(), reason: z.string() })),
    ways: z.array(z.object({ name: z.string() })),
  }),
})

function opensslAvailable(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!opensslAvailable())('defer doctor over TLS', () => {
  const stack = new AsyncDisposableStack()
  const usual = getCACertificates('default')
  let certificate: string
  let key: string
  let target: string
  beforeAll(async () => {
    const { path } = stack.use(await temporaryDirectory())
    const files = { key: join(path, 'key.pem'), certificate: join(path, 'certificate.pem') }
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout ${files.key} -out ${files.certificate}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    )
    certificate = readFileSync(files.certificate, 'utf8')
    key = readFileSync(files.key, 'utf8')
    target = stack.use(await startRouter({ DEV_MODE: 'true', ENGINE_ENABLE_DEFER: 'true' })).url
  })
  afterAll(async () => {
    setDefaultCACertificates(usual)
    await stack.disposeAsync()
  })

  /** A proxy that ends TLS and passes parts on as they come. */
  function pass(
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ) {
    const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'))
    const outgoing = httpRequest(target, { method: 'POST', headers: Object.fromEntries(headers) }, (from) => {
      const { 'content-type': type = '', 'x-accel-buffering': buffering = '' } = from.headers
      response.setHeader('content-type', type)
      response.setHeader('x-accel-buffering', buffering)
      from.pipe(response)
    })
    request.pipe(outgoing)
  }

  async function secureProxy(protocol: 'http/2' | 'http/1'): Promise<string> {
    const options = { key, cert: certificate }
    const server =
      protocol === 'http/2'
        ? createSecureServer({ ...options, allowHTTP1: true }, pass)
        : createHttpsServer(options, pass)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    stack.defer(() => void server.close())
    const address = server.address()
    return `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`
  }

  it('says that a certificate is not trusted', async () => {
    const run = await runCommand(['defer', 'doctor', await secureProxy('http/2')])
    expect(run).toMatchObject({ exitCode: 3, stdout: '' })
    expect(run.stderr).toMatch(/cannot be reached: self-signed certificate/)
  })

  it('asks over both protocols', async () => {
    setDefaultCACertificates([...usual, certificate])
    const run = await runCommand(['defer', 'doctor', await secureProxy('http/2'), '--json'])
    const { findings, notOffered, ways } = Report.parse(run.json()).result
    expect({ findings, notOffered }).toEqual({ findings: [], notOffered: [] })
    expect(new Set(ways.map(({ name }) => name.split(',', 1)[0]))).toEqual(new Set(['HTTP/1.1', 'HTTP/2']))
  })

  it('leaves HTTP/2 out where TLS does not agree on it', async () => {
    setDefaultCACertificates([...usual, certificate])
    const run = await runCommand(['defer', 'doctor', await secureProxy('http/1'), '--json'])
    const { findings, notOffered } = Report.parse(run.json()).result
    expect(findings).toEqual([])
    expect(notOffered.map(({ reason }) => reason)).toEqual([
      'TLS does not agree on it',
      'TLS does not agree on it',
    ])
  })
})
