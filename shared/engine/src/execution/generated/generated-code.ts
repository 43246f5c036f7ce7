/**
 * The parts that every generated function is made with. The rules that make generated code safe are kept
 * here:
 *
 * - Identifiers are made by the generator (`o0`, `v3`); none comes from an operation, a schema or an answer.
 * - A name of an operation or a schema is checked to be a GraphQL name, and enters code as a string literal.
 * - Nothing else of a request enters code: no variable, no argument, no text of a document.
 */
import { read } from '../../json/json-object.ts'
import { ExactNumber } from '../../json/exact-number.ts'

/** Thrown by generated functions for anything that is not as usual. The interpreter then does the work. */
export const UNUSUAL = Symbol('something that generated code leaves to the interpreter')

/** Thrown while code is generated for a plan that has parts for which no code can be generated. */
export class NotGeneratedError extends Error {}

/**
 * Most characters of the code of one plan. Generating and compiling that much takes a few milliseconds; a
 * plan that needs more stays with the interpreter.
 */
export const MAX_CODE = 64 * 1024

const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/

/** A name of GraphQL as a string literal. */
export function quoted(name: string): string {
  if (!NAME.test(name)) throw new NotGeneratedError(`${JSON.stringify(name)} is no name.`)
  return JSON.stringify(name)
}

/** A member of an object literal. A plain `"__proto__": …` would set the prototype of the object instead. */
export function literalMember(name: string, value: string): string {
  return `${name === '__proto__' ? '["__proto__"]' : quoted(name)}: ${value}`
}

/**
 * The value of a key in an object that is known to be there. Keys such as `constructor` would be found in the
 * prototype of every object, so that they are read by `read`. A field that nobody resolves has the key "".
 */
export function memberOf(object: string, key: string): string {
  const literal = key === '' ? '""' : quoted(key)
  return key in Object.prototype ? `read(${object}, ${literal})` : `${object}[${literal}]`
}

/** The same for an object that may be null. */
export function memberOfSome(object: string, key: string): string {
  return `(${object} === null ? undefined : ${memberOf(object, key)})`
}

/** Whether the value of a variable is an object of JSON, as `isJsonObject` tells it. */
export function isObject(value: string): string {
  const isSome = `typeof ${value} === "object" && ${value} !== null`
  return `(${isSome} && !isArray(${value}) && !(${value} instanceof ExactNumber))`
}

/** Whether this process may make functions from text: Node may forbid it, as browsers do. */
export const mayRunGeneratedCode = mayGenerate()

function mayGenerate(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- a constant text
    return new Function('return true')() === true
  } catch {
    return false
  }
}

/**
 * Compiles code that returns a function, whose type the caller names. `constants` are values that the code
 * finds as `constants[n]`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the caller knows what it wrote
export function compiled<Result>(code: string, constants: readonly unknown[]): Result {
  if (code.length > MAX_CODE) throw new NotGeneratedError('The code is too long.')
  // oxlint-disable-next-line typescript/no-implied-eval -- by the rules above, which a test of names attacks
  const make = new Function(...Object.keys(COMMON), 'constants', `"use strict";\n${code}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- text has no type
  return make(...Object.values(COMMON), constants) as Result
}

/** The values that all generated code may use, by the names under which it uses them. */
const COMMON = { UNUSUAL, ExactNumber, isArray: Array.isArray, read }
