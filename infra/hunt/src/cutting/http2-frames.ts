/** Frames of HTTP/2 (RFC 9113, section 4.1), byte by byte. */

export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, continuation: 9 } as const
export const END_STREAM = 1
export const END_HEADERS = 4
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

export const SETTINGS = frame(FRAME.settings, 0, 0, Buffer.alloc(0))
export const ACKNOWLEDGED = frame(FRAME.settings, 1, 0, Buffer.alloc(0))

/** Headers as literals that nobody remembers (RFC 7541, section 6.2.2). Names and values are short. */
export function headerBlock(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name, 'latin1'),
      Buffer.from([value.length]),
      Buffer.from(value, 'latin1'),
    ]),
  )
}

/** Calls back with each frame of what arrives, in pieces of any size. */
export function frameReader(
  onFrame: (type: number, flags: number, stream: number, payload: Buffer) => void,
  preface = Buffer.alloc(0),
): (bytes: Buffer) => void {
  let held = Buffer.alloc(0)
  let isBegun = preface.length === 0
  return (bytes) => {
    held = Buffer.concat([held, bytes])
    if (!isBegun) {
      if (held.length < preface.length) return
      held = held.subarray(preface.length)
      isBegun = true
    }
    while (held.length >= 9 && held.length >= 9 + held.readUIntBE(0, 3)) {
      const end = 9 + held.readUIntBE(0, 3)
      onFrame(held.readUInt8(3), held.readUInt8(4), held.readUInt32BE(5), held.subarray(9, end))
      held = held.subarray(end)
    }
  }
}
