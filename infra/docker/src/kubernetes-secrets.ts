/**
 * Keys and passwords as Secrets of Kubernetes: one for each service, called `switchyard-<service>`
 * (`SECRET_PREFIX` changes that), with a key for each of its variables and files.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A list of Secrets, as JSON, of what `makeKeys` writes into the folder that it is given. */
export async function kubernetesSecrets(makeKeys: (folder: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-keys-'))
  try {
    await makeKeys(folder)
    const prefix = process.env['SECRET_PREFIX'] ?? 'switchyard-'
    const items: unknown[] = []
    for (const service of (await readdir(folder)).sort())
      items.push({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `${prefix}${service}` },
        stringData: await contentOf(join(folder, service)),
      })
    return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Every file, and instead of `env` the variables that stand in it. */
async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {}
  for (const name of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, name), 'utf8')
    if (name !== 'env') content[name] = text
    else
      for (const line of text.split('\n').filter((line) => line !== '')) {
        const end = line.indexOf('=')
        content[line.slice(0, end)] = line.slice(end + 1)
      }
  }
  return content
}
