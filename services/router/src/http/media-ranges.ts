/** The header `Accept` as a list of media ranges (RFC 9110 section 12.5.1). Malformed elements are dropped. */

export type MediaRange = {
  /** Lower case, e.g. `application/json`, `multipart/*`. */
  readonly type: string
  /** Names in lower case, without `q`. */
  readonly parameters: ReadonlyMap<string, string>
  /** 0 to 1; 0 refuses the type. */
  readonly quality: number
}

const TYPE = /^[!#$&^_.+'*0-9a-z-]+\/[!#$&^_.+'*0-9a-z-]+$/
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

export function parseAccept(header: string): readonly MediaRange[] {
  return splitOutsideQuotes(header, ',').flatMap((element) => {
    const [first = '', ...rest] = splitOutsideQuotes(element, ';')
    const type = first.trim().toLowerCase()
    if (!TYPE.test(type)) return []
    let quality = 1
    const parameters = new Map<string, string>()
    for (const parameter of rest) {
      const equals = parameter.indexOf('=')
      if (equals < 0) continue
      const name = parameter.slice(0, equals).trim().toLowerCase()
      const value = unquoted(parameter.slice(equals + 1).trim())
      if (name !== 'q') parameters.set(name, value)
      else if (QUALITY.test(value)) quality = Number(value)
    }
    return [{ type, parameters, quality }]
  })
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let part = ''
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quoted && character === '\\') {
      part += character + text.charAt(++index)
      continue
    }
    if (character === '"') quoted = !quoted
    if (character === separator && !quoted) {
      parts.push(part)
      part = ''
    } else part += character
  }
  parts.push(part)
  return parts
}

function unquoted(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value
  return value.slice(1, -1).replace(/\\(.)/g, '$1')
}
