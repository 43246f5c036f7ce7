/**
 * The file that a command of the package starts with. It tells who runs it on an older Node.js which one is
 * needed; the program itself would end there with a SyntaxError.
 */
import { OLDEST_NODE } from './programs.ts'

/**
 * Text of the file, CommonJS that every Node.js can read which knows `import()` (from 10 on): no import that
 * is resolved before the version is compared, and no newer syntax. `program`: address of the program, from
 * the folder of the file.
 */
export function firstFile(program: string): string {
  const [major = '', minor = ''] = OLDEST_NODE.split('.')
  return `#!/usr/bin/env node
'use strict'
var parts = process.versions.node.split('.')
var major = Number(parts[0])
var minor = Number(parts[1])
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  import('${program}')
} else {
  process.stderr.write(
    'error: Switchyard needs Node.js ${OLDEST_NODE} or newer, but was started with Node.js ' + process.versions.node +
      ' (' + process.execPath + '). Nothing was done. Install a newer one from https://nodejs.org/, or put it first on the PATH.\\n'
  )
  process.exitCode = 1
}
`
}
