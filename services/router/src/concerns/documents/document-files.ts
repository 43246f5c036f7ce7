/** The files of the manifests: read at the start, and again when they have changed. */
import { webcrypto } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { type ParsedManifest, ManifestError, readManifest } from '@switchyard/documents'
import { messageOf } from '@switchyard/values'
import { RouterConfigError } from '../../settings/config-error.ts'
import type { DocumentsConfig } from './settings.ts'
import type { DocumentEvents } from './events.ts'
import type { KnownDocuments } from './known-documents.ts'

type ManifestFile = { readonly file: string; readonly clients?: readonly string[] | undefined }
/** `contents`: another text for files with other contents. */
type Read = { readonly manifests: readonly ParsedManifest[]; readonly contents: string }

export type DocumentFilesOptions = {
  readonly config: Pick<DocumentsConfig, 'manifests' | 'maxManifestSize' | 'reloadInterval'>
  /** The documents that are filled from the files. */
  readonly known: KnownDocuments
  readonly events: DocumentEvents
}

/** Disposing ends the watching. */
export class DocumentFiles implements Disposable {
  readonly #options: DocumentFilesOptions
  readonly #timer: NodeJS.Timeout
  #contents: string
  /** The system's description of the files that were looked at last. */
  #seen: string
  #isLooking = false
  #isAsked = false
  /**
   * The problem with the files now. It is logged when it is seen the second time, since the first look may
   * have come while a file was only partly written.
   */
  #problem: { readonly text: string; told: boolean } | null = null

  /** Resolves when the documents of the files are known. Throws RouterConfigError. */
  static async open(options: DocumentFilesOptions): Promise<DocumentFiles> {
    const { config, known } = options
    try {
      const seen = await describedFiles(config)
      const { manifests, contents } = await readManifestFiles(config)
      await known.use({ files: manifests })
      return new DocumentFiles(options, { seen, contents })
    } catch (error) {
      throw error instanceof ManifestError
        ? new RouterConfigError(error.problems.map((problem) => `documents.manifests: ${problem}`))
        : error
    }
  }

  private constructor(
    options: DocumentFilesOptions,
    { seen, contents }: { readonly seen: string; readonly contents: string },
  ) {
    this.#options = options
    this.#seen = seen
    this.#contents = contents
    const { reloadInterval } = options.config
    this.#timer = setInterval(() => void this.#renew(false), reloadInterval).unref()
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
      const { config } = this.#options
      const seen = await describedFiles(config)
      if (isAsked || this.#problem !== null || seen !== this.#seen) {
        await this.#use(await readManifestFiles(config))
        this.#seen = seen
        this.#problem = null
      }
    } catch (error) {
      this.#failed(error instanceof ManifestError ? error.problems : [messageOf(error)])
    } finally {
      this.#isLooking = false
      if (this.#isAsked) void this.#renew(true)
    }
  }

  async #use({ manifests, contents }: Read): Promise<void> {
    if (contents === this.#contents) return
    await this.#options.known.use({ files: manifests })
    this.#contents = contents
  }

  #failed(problems: readonly string[]): void {
    const text = problems.join('; ')
    if (this.#problem?.text !== text) this.#problem = { text, told: false }
    else if (!this.#problem.told) {
      this.#problem.told = true
      this.#options.events.notRead(problems)
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

/** Another text if one of the files is another one, or was written. */
async function describedFiles({
  manifests,
  maxManifestSize,
}: DocumentFilesOptions['config']): Promise<string> {
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
export async function readManifestFiles({
  manifests,
  maxManifestSize,
}: Pick<DocumentsConfig, 'maxManifestSize'> & {
  readonly manifests: readonly ManifestFile[]
}): Promise<Read> {
  const read: ParsedManifest[] = []
  const hashes: string[] = []
  for (const { file, clients = null } of manifests) {
    const json = await readFile(file)
    checkSize(file, json.length, maxManifestSize)
    hashes.push(Buffer.from(await webcrypto.subtle.digest('SHA-256', json)).toString('hex'))
    read.push({ name: file, clients, documents: await documentsIn(file, json) })
  }
  return { manifests: read, contents: hashes.join(' ') }
}

async function documentsIn(file: string, json: Uint8Array): Promise<ParsedManifest['documents']> {
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
