/** Getting in: TLS, credentials in files, and what a service says while it is kept out. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerProblem } from '@switchyard/service-kit'
import {
  createCertificate,
  natsServerAvailable,
  recordProblems,
  type SpawnedServer,
  startServer,
  temporaryDirectory,
  waitFor,
  writeCertificate,
} from '@switchyard/testkit'
import { nkeys } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { connectNats, createNatsAnnouncer, type NatsSettings, openNatsEventLog } from '../src/index.ts'

describe.skipIf(!natsServerAvailable())('the way into NATS', () => {
  it('is by TLS with files that are read again when the connection is made anew', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const authority = createCertificate({ name: 'authority', authority: true })
    const files = writeCertificate(folder, authority, createCertificate({ signedBy: authority }))
    const server = use.use(await startNats(folder, tlsBlock(files)))
    const { problems, onProblem } = recordProblems<ServerProblem>()
    const tls = { caFile: files.ca, certFile: files.cert, keyFile: files.key }
    const url = server.url.replace('nats:', 'tls:')
    const link = use.use(await connectNats({ url, name: 'registry', tls, onProblem }))
    await link.connection.flush()

    // Everything is signed by another authority from now on: the server's certificate, ours, and what each
    // believes.
    const next = createCertificate({ name: 'next authority', authority: true })
    writeCertificate(folder, next, createCertificate({ signedBy: next }))
    await server.restart()
    await link.whenConnected()
    await link.connection.flush()
    expect(problems.filter(({ code }) => code !== 'NATS_UNREACHABLE')).toEqual([])
  })

  it.each([
    ['an authority that is not believed', 'SERVER_CERTIFICATE_UNKNOWN', {}, {}],
    [
      'a certificate that has expired',
      'SERVER_CERTIFICATE_EXPIRED',
      { to: Date.now() - 60_000 },
      { ca: true },
    ],
    [
      'a certificate for another host',
      'SERVER_NAME_MISMATCH',
      { hosts: ['elsewhere.example'] },
      { ca: true },
    ],
    ['a file that is not there', 'ACCESS_FILE_UNUSABLE', {}, { ca: true, missing: true }],
  ])('says what is wrong with %s, and goes in when it was put right', async (_, code, options, given) => {
    const { ca = false, missing = false } = given as Readonly<Record<string, boolean>>
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const authority = createCertificate({ name: 'authority', authority: true })
    const files = writeCertificate(folder, authority, createCertificate({ signedBy: authority, ...options }))
    const server = use.use(await startNats(folder, tlsBlock(files, false)))
    const { problems, onProblem } = recordProblems<ServerProblem>()
    const mine = join(folder, 'mine')
    if (ca) writeFileSync(`${mine}-ca`, authority.cert)
    else writeFileSync(`${mine}-ca`, createCertificate({ authority: true }).cert)
    const tls: Record<string, string> = { caFile: `${mine}-ca` }
    if (missing) tls['caFile'] = `${mine}-none`
    const connecting = connectNats({
      url: server.url.replace('nats:', 'tls:'),
      name: 'registry',
      tls,
      onProblem,
    })
    const problem = await waitFor('the problem', () => problems[0])
    expect(problem.code).toBe(code)
    expect(problem.message).toContain(`127.0.0.1:${server.port}`)

    writeCertificate(folder, authority, createCertificate({ signedBy: authority }))
    writeFileSync(`${mine}-ca`, authority.cert)
    writeFileSync(`${mine}-none`, authority.cert)
    if (Object.keys(options).length > 0) await server.restart()
    use.use(await connecting)
    expect(new Set(problems.map((told) => told.code).filter((told) => told !== 'NATS_UNREACHABLE'))).toEqual(
      new Set([code]),
    )
  })

  it('says that a server does not speak TLS, instead of sending the password all the same', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const server = use.use(await startNats(folder, ''))
    const { problems, onProblem } = recordProblems<ServerProblem>()
    const stop = new AbortController()
    const url = server.url.replace('nats://', 'tls://user:password@')
    const connecting = connectNats({ url, name: 'registry', onProblem, signal: stop.signal })
    expect(await waitFor('the problem', () => problems[0])).toMatchObject({ code: 'SERVER_WITHOUT_TLS' })
    stop.abort()
    await expect(connecting).rejects.toThrow()
  })

  it.each<[string, string, Partial<NatsSettings>]>([
    ['passwordFile', 'authorization { user: registry, password: "sesame" }', {}],
    ['tokenFile', 'authorization { token: "sesame" }', {}],
  ])('is by a secret in the %s, also when it was replaced while the service ran', async (member, block) => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const server = use.use(await startNats(folder, block))
    const file = join(folder, 'secret')
    writeFileSync(file, 'abracadabra\n')
    const { problems, onProblem } = recordProblems<ServerProblem>()
    const url = member === 'passwordFile' ? server.url.replace('//', '//registry@') : server.url
    const connecting = connectNats({ url, name: 'registry', [member]: file, onProblem })
    expect(await waitFor('the problem', () => problems[0])).toMatchObject({
      code: 'NATS_CREDENTIALS_REFUSED',
    })
    writeFileSync(file, 'sesame\n')
    const link = use.use(await connecting)

    problems.length = 0
    writeFileSync(join(folder, 'more.conf'), block.replace('sesame', 'next'))
    await server.restart()
    expect(
      await waitFor('the problem', () => problems.find(({ code }) => code !== 'NATS_UNREACHABLE')),
    ).toMatchObject({ code: 'NATS_CREDENTIALS_REFUSED' })
    expect(JSON.stringify(problems)).not.toMatch(/abracadabra|sesame/)
    writeFileSync(file, 'next\n')
    await link.whenConnected()
    await link.connection.flush()
  })

  it('is by the seed of an NKey in a file', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const pair = nkeys.createUser()
    const users = `authorization { users: [ { nkey: ${pair.getPublicKey()} } ] }`
    const server = use.use(await startNats(folder, users))
    const file = join(folder, 'registry.nk')
    writeFileSync(file, `${Buffer.from(pair.getSeed()).toString()}\n`)
    const link = use.use(await connectNats({ url: server.url, name: 'registry', credentialsFile: file }))
    await link.connection.flush()
  })

  it('is by a file of credentials with a JWT', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()]
    const all = {
      subs: -1,
      data: -1,
      payload: -1,
      imports: -1,
      exports: -1,
      wildcards: true,
      conn: -1,
      leaf: -1,
    }
    const config = `operator: "${jwt(operator, operator, { type: 'operator' })}"
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: "${jwt(operator, account, { type: 'account', limits: all })}" }`
    const server = use.use(await startNats(folder, config, ''))
    const file = join(folder, 'registry.creds')
    const lines = [
      '-----BEGIN NATS USER JWT-----',
      jwt(account, user, { type: 'user', subs: -1, data: -1, payload: -1 }),
    ]
    lines.push('------END NATS USER JWT------', '', '-----BEGIN USER NKEY SEED-----')
    lines.push(Buffer.from(user.getSeed()).toString(), '------END USER NKEY SEED------', '')
    writeFileSync(file, lines.join('\n'))
    const link = use.use(await connectNats({ url: server.url, name: 'registry', credentialsFile: file }))
    await link.connection.flush()
  })

  it('says that JetStream is off, and starts when it was turned on', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const server = use.use(await startNats(folder, '', ''))
    const { problems, onProblem } = recordProblems<ServerProblem>()
    const opening = openNatsEventLog({
      url: server.url,
      name: 'registry',
      owns: ['registry'],
      reads: [],
      onProblem,
    })
    expect(await waitFor('the problem', () => problems[0])).toMatchObject({ code: 'NATS_JETSTREAM_DISABLED' })
    writeFileSync(join(folder, 'nats.conf'), configOf(folder, JETSTREAM))
    await server.restart()
    use.use(await opening)
  })

  it('says which right is missing, in which line of the table, and goes on when it was given', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const users = (publish: string, subscribe: string) =>
      `authorization { users: [ { user: composer, password: p, permissions: { publish: ${publish}, subscribe: ${subscribe} } } ] }`
    const server = use.use(await startNats(folder, users('["$JS.API.INFO"]', '["_INBOX.composer.>"]')))
    const { problems, warnings, onProblem, onWarning } = recordProblems<ServerProblem>()
    const url = server.url.replace('//', '//composer:p@')
    const options = { url, name: 'composer', onProblem, onWarning }
    const announcer = use.use(createNatsAnnouncer(options))
    const heard: unknown[] = []
    announcer.subscribe('composer.status.>', (message) => heard.push(message))
    const opening = openNatsEventLog({ ...options, owns: ['compositions'], reads: [] })
    await waitFor(
      'both to be told',
      () =>
        warnings.some(({ message }) => message.includes('composer.status')) &&
        problems.some(({ message }) => message.includes('STREAM')),
    )
    expect(warnings.map(({ message }) => message).find((message) => message.includes('status'))).toContain(
      'subscribe to composer.status.>. Row "composer", column "composer.status.>"',
    )
    expect(problems.find(({ message }) => message.includes('STREAM'))).toMatchObject({
      code: 'NATS_PERMISSION_MISSING',
      message: expect.stringContaining(
        'publish to $JS.API.STREAM.INFO.compositions. Row "composer", column "compositions.>"',
      ),
    })
    const every = '["$JS.API.>", "composer.status.>"]'
    writeFileSync(join(folder, 'more.conf'), users(every, '["_INBOX.composer.>", "composer.status.>"]'))
    process.kill(server.pid, 'SIGHUP')
    use.use(await opening)
    await waitFor('a notice', () => {
      announcer.announce('composer.status.one', {})
      return heard.length > 0
    })
  })
})

type KeyPair = ReturnType<typeof nkeys.createUser>

const JETSTREAM = 'jetstream { store_dir: "DATA" }'

function configOf(folder: string, jetstream: string): string {
  return `${jetstream.replace('DATA', join(folder, 'data'))}\ninclude ./more.conf\n`
}

/** With a configuration that can be changed while it runs: `more.conf` in the folder. */
function startNats(folder: string, more: string, jetstream = JETSTREAM): Promise<SpawnedServer> {
  writeFileSync(join(folder, 'nats.conf'), configOf(folder, jetstream))
  writeFileSync(join(folder, 'more.conf'), more)
  return startServer({
    binary: 'nats-server',
    scheme: 'nats',
    arguments: (port) => ['-a', '127.0.0.1', '-p', String(port), '-c', join(folder, 'nats.conf')],
  })
}

function tlsBlock(files: { ca: string; cert: string; key: string }, verify = true): string {
  return `tls { cert_file: "${files.cert}", key_file: "${files.key}", ca_file: "${files.ca}", verify: ${verify} }`
}

/**
 * What an operator's `nsc` writes:
 * https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt.
 */
function jwt(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: 'test',
    sub: subject.getPublicKey(),
    nats: { version: 2, ...nats },
  }
  const parts = [{ typ: 'JWT', alg: 'ed25519-nkey' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = issuer.sign(Buffer.from(parts.join('.')))
  return [...parts, Buffer.from(signature).toString('base64url')].join('.')
}
