/** Requests from a file: YAML or JSON, a list of them. */
import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import type { LoadRequest } from './load-options.ts'

const MOST = 1000

const Data = z.record(z.string(), z.unknown())

const Entry = z.strictObject({
  name: z.string().min(1).optional(),
  query: z.string().min(1),
  variables: Data.optional(),
  operationName: z.string().min(1).optional(),
  method: z.enum(['GET', 'POST']).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  deferred: z.boolean().optional(),
  traced: z.boolean().optional(),
  weight: z.int().min(1).max(100).optional(),
  expect: z
    .union([z.strictObject({ data: Data }), z.strictObject({ one_of: z.array(Data).min(1) })])
    .optional(),
})

const Requests = z.array(Entry).min(1).max(MOST)

/** The message names the file, and where in it the mistake is. */
export class RequestsFileError extends Error {}

/** Throws RequestsFileError. */
export async function readRequests(file: string): Promise<readonly LoadRequest[]> {
  const parsed = Requests.safeParse(valueOf(file, await textOf(file)))
  if (!parsed.success) throw new RequestsFileError(`${file}: ${z.prettifyError(parsed.error)}\n${FORM}`)
  return parsed.data.map(({ name, expect, ...entry }, index) => {
    const request = { ...entry, name: name ?? `request ${index + 1}` }
    const expected = expect === undefined ? null : 'data' in expect ? [expect.data] : expect.one_of
    return withoutUndefined(expected === null ? request : { ...request, expected })
  })
}

const FORM =
  'Expected: a list of requests, each with "query" and, if wanted, name, variables, operationName, method, headers, deferred, traced, weight, ' +
  'expect: { data } or expect: { one_of: [data, …] }; see docs/load.md.'

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new RequestsFileError(`${file} cannot be read: ${String(error)}`)
  }
}

function valueOf(file: string, text: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [mistake] = document.errors
  if (mistake === undefined) return document.toJS()
  throw new RequestsFileError(`${file} is neither YAML nor JSON: ${mistake.message}`)
}

/** Removes undefined members, since `exactOptionalPropertyTypes` tells them from missing ones. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
