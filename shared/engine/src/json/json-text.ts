/**
 * JSON that is text already and large: building objects from it, only for them to be written as text again,
 * would take longer than everything else about its request. It is put into an answer as it is.
 */
export class JsonText {
  readonly text: string

  /** `text` is JSON. */
  constructor(text: string) {
    this.text = text
    Object.freeze(this)
  }

  /**
   * Returns the value, for callers that print it with `JSON.stringify`. The printer of answers splices the
   * text instead.
   */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** `JSON.stringify` of an object some of whose own members may be `JsonText`. */
export function printMembers(object: Readonly<Record<string, unknown>>): string {
  if (!holdsText(object)) return JSON.stringify(object)
  const members: string[] = []
  for (const [key, value] of Object.entries(object)) {
    const text = value instanceof JsonText ? value.text : JSON.stringify(value)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** Whether an own member of the object is a `JsonText`. */
export function holdsText(object: Readonly<Record<string, unknown>>): boolean {
  for (const key in object) if (object[key] instanceof JsonText) return true
  return false
}
