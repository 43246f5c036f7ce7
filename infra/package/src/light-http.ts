/**
 * Gives modules of the bundle `node:http` without the WebSocket of Node.js.
 *
 * A module that imports `node:http` has Node.js read every export, and three of them load its HTTP client
 * (undici): a tenth of the processor time in which a command starts, also where it needs none of that. A
 * module asked for by `process.getBuiltinModule` is read only where it is used.
 */
import http from 'node:http'
import type { Plugin } from 'rolldown'

const ID = '\0light-http'

/** Named imports of an export that it leaves out stop the build. */
export function lightHttp(): Plugin {
  return {
    name: 'switchyard-light-http',
    resolveId: (source, _importer, { kind }) =>
      /^(?:node:)?http$/.test(source) && kind === 'import-statement' ? { id: ID } : null,
    load: (id) => (id === ID ? code() : null),
  }
}

function code(): string {
  const described = Object.entries(Object.getOwnPropertyDescriptors(http))
  const names = described.filter(([, property]) => property.get === undefined).map(([name]) => name)
  return `const http = process.getBuiltinModule('node:http')
export default http
export const { ${names.join(', ')} } = http
`
}
