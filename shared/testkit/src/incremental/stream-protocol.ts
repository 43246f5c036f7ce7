/**
 * The rules that every incremental response keeps, whatever was asked. Reads a stream part by part and says
 * in words what is wrong with it; knows the operation only as far as `parents` tells it.
 */
import { isRecord } from '@switchyard/values'
import {
  PartMerger,
  type PendingPer,
  type ResponsePath,
  type StreamError,
  type StreamPart,
  valueAt,
} from '@switchyard/incremental-delivery'

export type ProtocolOptions = {
  /** Which fragment each fragment is nested in, by id. */
  readonly parents?: ReadonlyMap<string, string>
  /** `fragment` unless told otherwise. */
  readonly pendingPer?: PendingPer
}

/** Returns the complaints about a whole stream. Empty if nothing is wrong. */
export function protocolComplaints(
  parts: readonly unknown[],
  options: ProtocolOptions = {},
): readonly string[] {
  const protocol = new StreamProtocol(options)
  for (const part of parts) protocol.accept(part)
  protocol.end()
  return protocol.complaints
}

const INITIAL_KEYS = ['errors', 'data', 'extensions', 'pending', 'hasNext']
const LATER_KEYS = ['incremental', 'completed', 'pending', 'extensions', 'hasNext']
const PENDING_KEYS = ['id', 'path', 'label']
const ENTRY_KEYS = ['data', 'id', 'subPath', 'errors']
const COMPLETED_KEYS = ['id', 'errors']
/** A fragment's number; in a list, that of the object as well. */
const ID = { fragment: /^[1-9][0-9]*$/, item: /^[1-9][0-9]*(?:\.[1-9][0-9]*)?$/ } as const
const ERROR_KEYS = new Set(['message', 'locations', 'path', 'extensions'])

type Announced = { readonly path: ResponsePath; isCompleted: boolean }

export class StreamProtocol {
  readonly complaints: string[] = []
  readonly #parents: ReadonlyMap<string, string>
  readonly #pendingPer: PendingPer
  readonly #announced = new Map<string, Announced>()
  readonly #errors = new Set<string>()
  readonly #merger = new PartMerger()
  #parts = 0
  #isOver = false

  constructor({ parents = new Map(), pendingPer = 'fragment' }: ProtocolOptions = {}) {
    this.#parents = parents
    this.#pendingPer = pendingPer
  }

  accept(part: unknown): void {
    const before = this.complaints.length
    if (this.#isOver) this.#complain('comes after the part that said hasNext:false')
    if (!isRecord(part)) return this.#complain('is not an object')
    const isInitial = this.#parts === 0
    this.#checkKeys(part, isInitial ? INITIAL_KEYS : LATER_KEYS, 'the part')
    if (isInitial) this.#checkInitial(part)
    else this.#checkLater(part)
    // A part that breaks a rule may not be possible to merge.
    if (this.complaints.length === before) this.#merge(part)
    this.#checkPending(part['pending'])
    this.#checkEnd(part)
    this.#parts++
  }

  /** The stream is closed. */
  end(): void {
    if (!this.#isOver) this.complaints.push('The stream ends without hasNext:false')
    for (const [id, { isCompleted }] of this.#announced) {
      if (!isCompleted) this.complaints.push(`The stream ends without completing ${id}`)
    }
  }

  #complain(text: string): void {
    this.complaints.push(`Part ${this.#parts}: ${text}`)
  }

  #checkInitial(part: Readonly<Record<string, unknown>>): void {
    const { data, errors } = part
    if (data !== null && !isRecord(data)) this.#complain('has no data')
    this.#checkErrors(errors, [], 'the part')
    if (data === null && errors === undefined) this.#complain('has null as data without an error')
  }

  #checkLater({ incremental, completed, extensions, hasNext }: Readonly<Record<string, unknown>>): void {
    if (extensions !== undefined && hasNext === true)
      this.#complain('has extensions without being the last part')
    const entries = this.#list(completed, 'completed')
    const known = entries.filter(isRecord)
    if (this.#pendingPer === 'fragment' ? entries.length !== 1 : entries.length === 0)
      this.#complain(
        `does not complete ${this.#pendingPer === 'fragment' ? 'exactly one fragment' : 'anything'}`,
      )
    if (known.length < entries.length) this.#complain('completes something that is not an object')
    this.#checkEntries(incremental, new Set(known.map(({ id }) => id)))
    let previous = ''
    for (const entry of known) previous = this.#complete(entry, previous)
  }

  /** `previous` is the id that was completed before in the same part; returns this one. */
  #complete(completed: Readonly<Record<string, unknown>>, previous: string): string {
    const { id, errors } = completed
    if (typeof id === 'string' && !isAfter(id, previous)) this.#complain(`completes ${id} after ${previous}`)
    this.#checkKeys(completed, COMPLETED_KEYS, 'completed')
    const known = this.#announced.get(String(id))
    this.#checkErrors(errors, null, `completed ${String(id)}`)
    if (typeof id !== 'string' || known === undefined) {
      this.#complain(`completes ${String(id)}, which was not announced`)
      return previous
    }
    for (const error of Array.isArray(errors) ? errors.filter(isRecord) : [])
      if (!isWithin(error['path'] ?? [], known.path))
        this.#complain(`completes ${id} with an error at ${JSON.stringify(error['path'])}, outside of it`)
    if (known.isCompleted) this.#complain(`completes ${id} again`)
    known.isCompleted = true
    return id
  }

  #checkEntries(incremental: unknown, completed: ReadonlySet<unknown>): void {
    let previous: ResponsePath | null = null
    for (const entry of incremental === undefined ? [] : this.#list(incremental, 'incremental')) {
      if (!isRecord(entry)) {
        this.#complain('has an entry that is not an object')
        continue
      }
      const { data, id, subPath } = entry
      this.#checkKeys(entry, ENTRY_KEYS, 'an entry')
      if (!completed.has(id)) this.#complain(`has an entry of ${String(id)}, which it does not complete`)
      const known = this.#announced.get(String(id))
      if (typeof id !== 'string' || known === undefined) {
        this.#complain(`has an entry of ${String(id)}, which was not announced`)
        continue
      }
      if (known.isCompleted) this.#complain(`has an entry of ${id}, which is completed`)
      if (!isSubPath(subPath)) {
        this.#complain(`has the subPath ${JSON.stringify(subPath)}, which is not a list of names and indices`)
        continue
      }
      const path = [...known.path, ...(subPath ?? [])]
      if (previous !== null && !isBefore(previous, path))
        this.#complain(`has the entry at ${JSON.stringify(path)} after ${JSON.stringify(previous)}`)
      previous = path
      this.#checkEntryData(data, path, entry['errors'] !== undefined)
      this.#checkErrors(entry['errors'], path, `an entry of ${id}`)
    }
  }

  /** One without data may still tell an error about a field of the object that another part has delivered. */
  #checkEntryData(data: unknown, path: ResponsePath, hasErrors: boolean): void {
    if (!isRecord(data) || (Object.keys(data).length === 0 && !hasErrors))
      return this.#complain(`delivers nothing at ${JSON.stringify(path)}`)
    const target = valueAt(this.#merger.data, path)
    if (!isRecord(target))
      return this.#complain(`has an entry at ${JSON.stringify(path)}, where no object is`)
    for (const key of Object.keys(data)) {
      if (Object.hasOwn(target, key)) this.#complain(`delivers ${JSON.stringify([...path, key])} again`)
    }
  }

  #checkPending(pending: unknown): void {
    let previous = ''
    for (const entry of pending === undefined ? [] : this.#list(pending, 'pending')) {
      if (!isRecord(entry)) {
        this.#complain('announces something that is not an object')
        continue
      }
      const { id, path, label } = entry
      this.#checkKeys(entry, PENDING_KEYS, 'an announcement')
      if (typeof id !== 'string' || !ID[this.#pendingPer].test(id)) {
        this.#complain(`announces the id ${JSON.stringify(id)}, which is not a number as text`)
        continue
      }
      if (this.#announced.has(id)) this.#complain(`announces ${id} again`)
      if (!isAfter(id, previous)) this.#complain(`announces ${id} after ${previous}`)
      previous = id
      if (label !== undefined && typeof label !== 'string')
        this.#complain(`announces ${id} with the label ${JSON.stringify(label)}`)
      const parent = this.#parents.get(id)
      if (parent !== undefined && this.#announced.get(parent)?.isCompleted !== true)
        this.#complain(`announces ${id} before ${parent}, in which it is nested, is delivered`)
      this.#checkPath(id, path)
      this.#announced.set(id, { path: Array.isArray(path) ? path : [], isCompleted: false })
    }
  }

  /**
   * To an object; where it stands for a whole fragment, through objects only, down to an object or to the
   * first list.
   */
  #checkPath(id: string, path: unknown): void {
    if (this.#pendingPer === 'item') {
      if (!isPath(path) || !isRecord(valueAt(this.#merger.data, path)))
        this.#complain(`announces ${id} at ${JSON.stringify(path)}, where no object is`)
      return
    }
    if (!Array.isArray(path) || path.some((key) => typeof key !== 'string'))
      return this.#complain(
        `announces ${id} at ${JSON.stringify(path)}, which is not a list of response names`,
      )
    const value = valueAt(this.#merger.data, path)
    if (typeof value !== 'object' || value === null)
      this.#complain(`announces ${id} at ${JSON.stringify(path)}, where neither object nor list is`)
  }

  #checkEnd({ hasNext }: Readonly<Record<string, unknown>>): void {
    if (typeof hasNext !== 'boolean') return this.#complain('does not say hasNext')
    this.#isOver = !hasNext
    const open = [...this.#announced].filter(([, { isCompleted }]) => !isCompleted).map(([id]) => id)
    if (hasNext && open.length === 0) this.#complain('says hasNext:true with nothing left to complete')
    if (!hasNext && open.length > 0) this.#complain(`says hasNext:false while ${open.join(', ')} is pending`)
  }

  /** `within` is the path below which errors may lie, if it is known. */
  #checkErrors(errors: unknown, within: ResponsePath | null, where: string): void {
    if (errors === undefined) return
    for (const error of this.#list(errors, `errors of ${where}`)) {
      if (!isRecord(error) || typeof error['message'] !== 'string') {
        this.#complain(`has an error without a message in ${where}`)
        continue
      }
      const unknown = Object.keys(error).filter((key) => !ERROR_KEYS.has(key))
      if (unknown.length > 0)
        this.#complain(`has unknown members in an error of ${where}: ${unknown.join(', ')}`)
      this.#checkErrorPath(error, within, where)
    }
  }

  #checkErrorPath(
    { path, message, extensions }: StreamError,
    within: ResponsePath | null,
    where: string,
  ): void {
    if (path !== undefined && !isPath(path))
      return this.#complain(`has an error of ${where} with the path ${JSON.stringify(path)}`)
    if (within === null || path === undefined) return
    // The error of a whole call may name the list that the entry's object is in.
    const common = Math.min(within.length, path.length)
    if (within.slice(0, common).some((key, index) => path[index] !== key))
      this.#complain(`has an error at ${JSON.stringify(path)} in ${where} at ${JSON.stringify(within)}`)
    if (path.length <= within.length) return
    // Two subgraphs may fail in the same words. So may two calls of one: that cannot be told from here, so
    // tests give them other words.
    const text = JSON.stringify([path, message, extensions])
    if (this.#errors.has(text) && this.#parts > 0)
      this.#complain(`tells the error at ${JSON.stringify(path)} again`)
    this.#errors.add(text)
  }

  #merge(part: StreamPart): void {
    const { pending: _pending, ...rest } = part
    // What is announced is checked after the part's own data is in its place.
    const paths = [...this.#announced].map(([id, { path }]) => ({ id, path }))
    this.#merger.add({ ...rest, pending: paths })
  }

  #checkKeys(value: Readonly<Record<string, unknown>>, known: readonly string[], where: string): void {
    const keys = Object.keys(value)
    const unknown = keys.filter((key) => !known.includes(key))
    if (unknown.length > 0) return this.#complain(`has unknown members in ${where}: ${unknown.join(', ')}`)
    const ordered = known.filter((key) => keys.includes(key))
    if (ordered.join() !== keys.join())
      this.#complain(`has the members of ${where} in the order ${keys.join()}`)
  }

  /** Lists without elements are left out. */
  #list(value: unknown, name: string): readonly unknown[] {
    if (Array.isArray(value) && value.length > 0) return value
    this.#complain(`has ${name}: ${JSON.stringify(value)}`)
    return []
  }
}

/** True if an id comes after the previous one, by the number of the fragment, then by that of the object. */
function isAfter(id: string, previous: string): boolean {
  const [fragment = 0, object = 0] = id.split('.').map(Number)
  const [otherFragment = 0, otherObject = 0] = previous.split('.').map(Number)
  return fragment === otherFragment ? object > otherObject : fragment > otherFragment
}

function isPath(path: unknown): path is ResponsePath {
  const isKey = (key: unknown) =>
    typeof key === 'string' || (typeof key === 'number' && Number.isInteger(key) && key >= 0)
  return Array.isArray(path) && path.every(isKey)
}

function isSubPath(subPath: unknown): subPath is ResponsePath | undefined {
  return subPath === undefined || (isPath(subPath) && subPath.length > 0)
}

/** In pre-order, as far as that is known without the operation: names have no order among each other. */
function isBefore(left: ResponsePath, right: ResponsePath): boolean {
  for (const [index, key] of left.entries()) {
    const other = right[index]
    if (other === undefined) return false
    if (key !== other) return typeof key !== 'number' || typeof other !== 'number' || key < other
  }
  return left.length < right.length
}

/** True if a path is the announced path or lies below it. */
function isWithin(path: unknown, announced: ResponsePath): boolean {
  return Array.isArray(path) && announced.every((key, index) => path[index] === key)
}
