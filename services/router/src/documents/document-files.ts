/** The files of the manifests: read at the start, and again when they have changed. */
import { webcrypto } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { RouterConfigError } from '../config/config-error.ts'
import type { DocumentsConfig } from '../config/router-config.ts'
import { messageOf } from '../errors/http-error.ts'
import type { DocumentEvents } from '../observe/document-events.ts'
import { DocumentLists, type Manifest } from './document-list.ts'
import { ManifestError, readManifest } from './manifest.ts'

type ManifestFile = { readonly file: string; readonly clients?: readonly string[] | undefined }
type Read = { readonly lists: DocumentLists; readonly contents: string }

/** Disposing ends the watching. */
export class DocumentFiles implements Disposable {
  readonly #config: DocumentsConfig
  readonly #events: DocumentEvents
  readonly #timer: NodeJS.Timeout
  #onChanged: () => void = () => {}
  #read: Read
  #revision = 1
  /** As the system describes the files that were looked at last. */
  #seen: string
  #isLooking = false
  #isAsked = false
  /**
   * What is wrong with the files now. It is logged when it is seen the second time, since the first look may
   * have come while only a part was written.
   */
  #problem: { readonly text: string; told: boolean } | null = null

  /** Throws RouterConfigError. */
  static async open(config: DocumentsConfig, events: DocumentEvents): Promise<DocumentFiles> {
    try {
      const seen = await describedFiles(config)
      const read = await readLists(config, 1)
      events.read(read.lists.documents.length, 0)
      return new DocumentFiles(config, events, { seen, read })
    } catch (error) {
      throw error instanceof ManifestError
        ? new RouterConfigError(error.problems.map((problem) => `documents.manifests: ${problem}`))
        : error
    }
  }

  private constructor(
    config: DocumentsConfig,
    events: DocumentEvents,
    { seen, read }: { readonly seen: string; readonly read: Read },
  ) {
    this.#config = config
    this.#events = events
    this.#seen = seen
    this.#read = read
    this.#timer = setInterval(() => void this.#renew(false), config.reloadInterval).unref()
  }

  get lists(): DocumentLists {
    return this.#read.lists
  }

  /** Called when other manifests are used from now on. */
  onChanged(listener: () => void): void {
    this.#onChanged = listener
  }

  /** Reads the files at once, whatever the system says about them. */
  look(): void {
    this.#isAsked = true
    void this.#renew(true)
  }

  async #renew(isAsked: boolean): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#isAsked = false
    try {
      const seen = await describedFiles(this.#config)
      if (isAsked || this.#problem !== null || seen !== this.#seen) {
        const read = await readLists(this.#config, this.#revision + 1)
        this.#seen = seen
        this.#problem = null
        this.#use(read)
      }
    } catch (error) {
      this.#failed(error instanceof ManifestError ? error.problems : [messageOf(error)])
    } finally {
      this.#isLooking = false
      if (this.#isAsked) void this.#renew(true)
    }
  }

  #use(read: Read): void {
    if (read.contents === this.#read.contents) return
    const before = this.#read.lists.documents.length
    this.#revision++
    this.#read = read
    this.#events.read(read.lists.documents.length, before)
    this.#onChanged()
  }

  #failed(problems: readonly string[]): void {
    const text = problems.join('; ')
    if (this.#problem?.text !== text) this.#problem = { text, told: false }
    else if (!this.#problem.told) {
      this.#problem.told = true
      this.#events.notRead(problems)
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

/** Another text if one of the files is another one, or was written. */
async function describedFiles({ manifests, maxManifestSize }: DocumentsConfig): Promise<string> {
  const described = manifests.map(async ({ file }) => {
    const stats = await stat(file, { bigint: true }).catch((error: unknown) => {
      throw new ManifestError([`${file} cannot be read (${messageOf(error)})`])
    })
    if (!stats.isFile()) throw new ManifestError([`${file} is no file`])
    checkSize(file, Number(stats.size), maxManifestSize)
    return `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`
  })
  return (await Promise.all(described)).join('\n')
}

/** Throws ManifestError, and what the system says of a file. */
export async function readLists(
  {
    manifests,
    maxManifestSize,
  }: Pick<DocumentsConfig, 'maxManifestSize'> & { readonly manifests: readonly ManifestFile[] },
  revision: number,
): Promise<Read> {
  const read: Manifest[] = []
  const hashes: string[] = []
  for (const { file, clients = null } of manifests) {
    const json = await readFile(file)
    checkSize(file, json.length, maxManifestSize)
    hashes.push(Buffer.from(await webcrypto.subtle.digest('SHA-256', json)).toString('hex'))
    read.push({ file, clients, documents: await documentsIn(file, json) })
  }
  return { lists: await DocumentLists.of(read, revision), contents: hashes.join(' ') }
}

async function documentsIn(file: string, json: Uint8Array): Promise<Manifest['documents']> {
  try {
    return await readManifest(json)
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    throw new ManifestError(error.problems.map((problem) => `${file}: ${problem}`))
  }
}

function checkSize(file: string, bytes: number, max: number): void {
  if (bytes <= max) return
  throw new ManifestError([`${file} has ${bytes} bytes, more than the ${max} of documents.max_manifest_size`])
}
