/**
 * `node make-ramp-key.ts <file>`: has the registry create the API key with which config-distribution moves
 * ramps, and writes it into the file. It does nothing if the file has a key that the registry still knows.
 *
 * The scope is `rollout:<namespace>` for the namespace of `SWITCHYARD_GRAPH`: the key may do nothing else.
 * `SWITCHYARD_REGISTRY_URL` says where the registry is, and `SWITCHYARD_API_KEY` is an admin key.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiKeyList, CreatedApiKey } from '@switchyard/contracts'

/** The name of the key in `switchyard api-key list`. */
const NAME = 'ramps-of-compose'
/** Config-distribution runs as the same user. */
const MINE_ALONE = 0o600
const ASK_FOR_MS = 120_000
const ASK_AGAIN_MS = 1000
const ANSWERED_WITHIN_MS = 10_000

const { SWITCHYARD_REGISTRY_URL: registryUrl, SWITCHYARD_API_KEY: adminKey } = process.env
const [namespace = ''] = (process.env['SWITCHYARD_GRAPH'] ?? 'default/shop').split('/')
const file = process.argv[2]
if (file === undefined || registryUrl === undefined || adminKey === undefined) {
  process.stderr.write(
    'Usage: make-ramp-key.ts <file>, with SWITCHYARD_REGISTRY_URL and SWITCHYARD_API_KEY in the environment\n',
  )
  process.exitCode = 2
} else {
  process.stdout.write(`${await makeRampKey(file, registryUrl, adminKey)}\n`)
}

/** Returns what was done, in a sentence. */
async function makeRampKey(file: string, url: string, admin: string): Promise<string> {
  const known = await keyIn(file)
  if (known !== null && (await mayRelease(url, known)))
    return 'The key for ramps is there already; nothing was changed.'
  const { apiKeys } = ApiKeyList.parse(await ask(url, admin, 'GET', '/v1/api-keys?consistency=strong'))
  // Nobody has the text of a key that is not in the file any more, and a name is given once.
  for (const { id } of apiKeys.filter(({ name }) => name === NAME))
    await ask(url, admin, 'DELETE', `/v1/api-keys/${id}`, {})
  const scope = `rollout:${namespace}`
  const made = await ask(url, admin, 'POST', '/v1/api-keys', { name: NAME, scopes: [scope] })
  await write(file, CreatedApiKey.parse(made).key)
  return `The key for ramps was made: "${NAME}", with the scope ${scope}.`
}

async function keyIn(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /^swy_\S+$/.test(text.trim()) ? text.trim() : null
}

/** Replaces the file at once: a reader finds the former key or the new one. */
async function write(file: string, key: string): Promise<void> {
  await writeFile(`${file}.new`, `${key}\n`, { mode: MINE_ALONE })
  await rename(`${file}.new`, file)
}

/** Whether the registry knows the key, with the right to this namespace. */
async function mayRelease(url: string, key: string): Promise<boolean> {
  const { status } = await answerOf(url, key, 'GET', `/v1/rollouts/${encodeURIComponent(namespace)}`)
  // Of a namespace that is still to come, the registry says so only to who may read it.
  return status === 200 || status === 404
}

async function ask(url: string, key: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await answerOf(url, key, method, path, body)
  const text = await answer.text()
  if (answer.ok) return JSON.parse(text)
  throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
}

/** Asks again while the registry cannot be reached or says that it is not ready. */
async function answerOf(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const deadline = performance.now() + ASK_FOR_MS
  for (;;) {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS)
    const answer = await fetch(new URL(path, url), { ...request, signal }).catch((error: unknown) => error)
    if (answer instanceof Response && answer.status < 500) return answer
    if (performance.now() > deadline) {
      if (answer instanceof Response) return answer
      throw new Error(`The registry at ${url} could not be asked.`, { cause: answer })
    }
    await sleep(ASK_AGAIN_MS)
  }
}
