/** The parts that all signals of OTLP share. */

export type JsonAttributes = readonly {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}[]

export function recordOf(attributes: JsonAttributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

export function textOf(message: Buffer | undefined, field: number): string | undefined {
  return message === undefined ? undefined : fieldsOf(message, field)[0]?.toString()
}

/** Returns the values of a numbered field of a protobuf message. Numbers are returned as varint bytes. */
export function fieldsOf(message: Buffer, wanted: number): readonly Buffer[] {
  const found: Buffer[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = varint()
    const start = at
    let length = 0
    if ((key & 7) === 2) length = varint()
    else if ((key & 7) === 1) length = 8
    else if ((key & 7) === 5) length = 4
    else varint()
    const from = (key & 7) === 2 ? at : start
    const to = length === 0 && (key & 7) === 0 ? at : from + length
    if (key >> 3 === wanted) found.push(message.subarray(from, to))
    at = to
  }
  return found
}
