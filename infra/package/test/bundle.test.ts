import { runInNewContext } from 'node:vm'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkEntries, type WrittenChunk } from '../src/check-entries.ts'
import { firstFile } from '../src/first-file.ts'
import { ROOT } from '../src/programs.ts'

function chunk(fileName: string, more: Partial<WrittenChunk> = {}): WrittenChunk {
  const moduleIds = [join(ROOT, `src/${fileName.replace('.js', '.ts')}`)]
  return { fileName, isEntry: false, imports: [], dynamicImports: [], moduleIds, ...more }
}

describe('the bundle', () => {
  const program = chunk('program.js', { isEntry: true, imports: ['shared.js'], dynamicImports: ['later.js'] })

  it('may hold files that several programs share', () => {
    expect(() =>
      checkEntries([program, chunk('shared.js'), chunk('later.js', { imports: ['shared.js'] })]),
    ).not.toThrow()
  })

  it.each(['imports', 'dynamicImports'] as const)(
    'is refused where a file starts a program by its %s',
    (kind) => {
      const wrong = chunk('other.js', { [kind]: ['shared.js', 'program.js'] })
      expect(() => checkEntries([program, chunk('shared.js'), wrong])).toThrow(
        'other.js (src/other.ts) imports program.js, which starts a program or a thread as soon as it is loaded. Expected that it imports only the modules that it needs, by a path of their own in "exports" of their package; program.js holds src/program.ts.',
      )
    },
  )
})

describe('the first file of a command', () => {
  it.each(['0.12.18', '20.20.2', '22.18.0'])(
    'says on Node.js %s which one is needed, and loads nothing',
    (version) => {
      const { stderr, exitCode, loaded } = runOn(version)
      expect(stderr).toBe(
        `error: Switchyard needs Node.js 22.19 or newer, but was started with Node.js ${version} (/bin/node). Nothing was done. Install a newer one from https://nodejs.org/, or put it first on the PATH.\n`,
      )
      expect({ exitCode, loaded }).toEqual({ exitCode: 1, loaded: [] })
    },
  )

  it.each(['22.19.0', '22.20.1', '24.0.0', '26.10.0'])('loads the program on Node.js %s', (version) => {
    expect(runOn(version)).toEqual({ stderr: '', exitCode: 0, loaded: ['./program.js'] })
  })

  /** Runs the text in a process that says it is this version. What it imports is only kept. */
  function runOn(node: string) {
    let stderr = ''
    const loaded: string[] = []
    const write = (text: string) => (stderr += text)
    const process = { versions: { node }, execPath: '/bin/node', stderr: { write }, exitCode: 0 }
    const load = (program: string) => loaded.push(program)
    runInNewContext(firstFile('./program.js').replace('import(', 'load('), { process, load })
    return { stderr, exitCode: process.exitCode, loaded }
  }
})
