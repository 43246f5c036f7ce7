/** Exceptions of the library. It says nothing of the graph then, so that there is nothing to compare. */
import { typesOf } from '../schemas.ts'
import type { Sdls } from '../random-graph.ts'
import type { Explanation, StopStatement } from './explanation.ts'

function stop(name: string, why: string, says: RegExp): Explanation<StopStatement> {
  return { name, why, explains: ({ message }) => says.test(message) }
}

function interfacesOf(sdls: Sdls, type: string): readonly string[] {
  return Object.keys(sdls).flatMap((name) =>
    typesOf(sdls, name, type).flatMap((node) =>
      'interfaces' in node ? (node.interfaces ?? []).map((one) => one.name.value) : [],
    ),
  )
}

export const STOPS: readonly Explanation<StopStatement>[] = [
  stop(
    'the library stops at kinds of types',
    'It expects a type to be an interface or object that it is not, mostly an interface object or a type of several kinds.',
    /^Expected (?:interfaceNode )?\S+ to be an? (?:interface|object|union|enum|input|scalar)/i,
  ),
  stop(
    'the library stops at a root',
    'It cannot follow paths from a root under another name, or without fields.',
    /^Not implemented path: createNodesAndEdgesForType/,
  ),
  stop(
    'the library stops at a type that is not there',
    'It follows a selection or field into a type that is not defined.',
    /^Type "[^"]*" is not defined\.$/,
  ),
  {
    name: 'the library stops at a field that is not there',
    why: 'It follows a selection into a type of several kinds, or below it, which we refuse, and finds the type of another subgraph.',
    explains: ({ message }, { sdls, ours }) => {
      const [, ofSeveral, below] =
        /^(?:Type "(\w+)" does not have field "\w+"\.|Expected indexes to be defined: (\w+)\.\w+)$/.exec(
          message,
        ) ?? []
      const types = ofSeveral === undefined ? interfacesOf(sdls, below ?? '') : [ofSeveral]
      return (
        ours.kind === 'failed' &&
        ours.errors.some(
          (one) =>
            one.code === 'TYPE_KIND_MISMATCH' && types.some((type) => one.message.includes(`"${type}"`)),
        )
      )
    },
  },
  stop(
    'the library stops at a value of a directive',
    'It expects a number, list or text where a schema has another value.',
    /^Expected (?:"?@\w+|"[^"]*"|a Boolean$)/,
  ),
  stop(
    'the library stops at an abstract type',
    'It finds no path from an interface or union to one of its types, or a fragment without a type.',
    /^Expected (?:abstract indexes|an abstract edge|fromGraphId)|^Inline fragment without type condition/,
  ),
  stop(
    'the library stops at an empty selection',
    'It reads a selection that has no field.',
    /^Syntax Error: Expected Name, found <EOF>/,
  ),
  stop(
    'the library stops at its own depth',
    'It calls itself until the stack ends, where fields lead back to their own types.',
    /^Maximum call stack size exceeded$/,
  ),
  stop(
    'the library stops in its own reasons',
    'It fails while it writes why a field cannot be reached.',
    /unreachables is not iterable|errorsBySourceGraph/,
  ),
]
