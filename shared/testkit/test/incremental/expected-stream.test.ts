import {
  compareStream,
  expectStream,
  produceStream,
  type StreamPart,
  withTypeNames,
} from '@switchyard/testkit'
import { buildSchema, execute, parse } from 'graphql'
import { describe, expect, it } from 'vitest'

const schema = buildSchema(`
  type Query { books: [Book] book: Book none: Book hit: Hit shelves: [[Book]] empty: [Book] }
  type Book { id: ID stock: Int title: String cover: Cover }
  type Cover { w: Int h: Int }
  type Film { id: ID stock: Int length: Int }
  union Hit = Book | Film
`)
const book = (id: string, stock: number, w: number, h: number) => ({
  __typename: 'Book',
  id,
  stock,
  title: `title ${id}`,
  cover: { w, h },
})
const [a, b] = [book('a', 3, 1, 9), book('b', 0, 2, 8)]
const rootValue = {
  books: [a, b],
  book: a,
  none: null,
  hit: { __typename: 'Film', id: 'f', stock: 1, length: 90 },
  shelves: [[a], [null, b]],
  empty: [],
}

/** Of several fragments that may be completed, the first. */
function partsOf(query: string): readonly StreamPart[] {
  const document = parse(query)
  const { data } = execute({ schema, document: withTypeNames(document), rootValue }) as { data: unknown }
  const expected = expectStream({ schema, document }, { data: JSON.parse(JSON.stringify(data)) })
  return expected === null ? [] : produceStream(expected, () => 0)
}

function expectParts(query: string, ...lines: readonly string[]): void {
  expect(partsOf(query).map((part) => JSON.stringify(part))).toEqual(lines)
}

describe('what is expected of a deferred answer', () => {
  it('has one fragment for all items of a list, in pre-order', () => {
    expectParts(
      '{ books { id cover { w } ... @defer(label: "extra") { stock cover { h } } } }',
      '{"data":{"books":[{"id":"a","cover":{"w":1}},{"id":"b","cover":{"w":2}}]},"pending":[{"id":"1","path":["books"],"label":"extra"}],"hasNext":true}',
      '{"incremental":[{"data":{"stock":3},"id":"1","subPath":[0]},{"data":{"h":9},"id":"1","subPath":[0,"cover"]},{"data":{"stock":0},"id":"1","subPath":[1]},{"data":{"h":8},"id":"1","subPath":[1,"cover"]}],"completed":[{"id":"1"}],"hasNext":false}',
    )
  })

  it('cuts paths at the outermost list of lists', () => {
    expectParts(
      '{ shelves { ... @defer { id } } }',
      '{"data":{"shelves":[[{}],[null,{}]]},"pending":[{"id":"1","path":["shelves"]}],"hasNext":true}',
      '{"incremental":[{"data":{"id":"a"},"id":"1","subPath":[0,0]},{"data":{"id":"b"},"id":"1","subPath":[1,1]}],"completed":[{"id":"1"}],"hasNext":false}',
    )
  })

  it('sends one part when everything is also selected plainly', () => {
    expectParts(
      '{ book { id ... @defer { id __typename } } }',
      '{"data":{"book":{"id":"a","__typename":"Book"}},"hasNext":false}',
    )
  })

  it('is no stream when every defer is inactive', () => {
    expect(partsOf('{ book { ... @defer(if: false) { id } } }')).toEqual([])
  })

  it('does not announce what sits on null or on another type, but completes what sits on an empty list', () => {
    expectParts(
      '{ none { ... @defer { id } } hit { ... on Book @defer { id } ... on Film @defer { length } } empty { ... @defer { id } } }',
      '{"data":{"none":null,"hit":{},"empty":[]},"pending":[{"id":"3","path":["hit"]},{"id":"4","path":["empty"]}],"hasNext":true}',
      '{"incremental":[{"data":{"length":90},"id":"3"}],"completed":[{"id":"3"}],"hasNext":true}',
      '{"completed":[{"id":"4"}],"hasNext":false}',
    )
  })

  it('gives a shared field to the earlier fragment and holds the other one', () => {
    const query = '{ book { ... @defer { id stock } ... @defer { stock title } } }'
    const initial =
      '{"data":{"book":{}},"pending":[{"id":"1","path":["book"]},{"id":"2","path":["book"]}],"hasNext":true}'
    expectParts(
      query,
      initial,
      '{"incremental":[{"data":{"id":"a","stock":3},"id":"1"}],"completed":[{"id":"1"}],"hasNext":true}',
      '{"incremental":[{"data":{"title":"title a"},"id":"2"}],"completed":[{"id":"2"}],"hasNext":false}',
    )
    const document = parse(query)
    const data = { book: { id: 'a', stock: 3, title: 'title a', type_of_this_object: 'Book' } }
    const expected = expectStream({ schema, document }, { data: { ...data, type_of_this_object: 'Query' } })
    const [first, ...later] = partsOf(query)
    const turned = [first, ...later.toReversed()].map((part) => part ?? expect.fail())
    expect(expected && compareStream(expected, turned)).toContain('Part 1 completes 2')
  })

  it('announces a nested fragment with its parent, one in a dropped fragment with the nearest parent', () => {
    expectParts(
      '{ book { ... @defer { id ... @defer { id ... @defer(label: "in") { title } } } } }',
      '{"data":{"book":{}},"pending":[{"id":"1","path":["book"]}],"hasNext":true}',
      '{"incremental":[{"data":{"id":"a"},"id":"1"}],"completed":[{"id":"1"}],"pending":[{"id":"3","path":["book"],"label":"in"}],"hasNext":true}',
      '{"incremental":[{"data":{"title":"title a"},"id":"3"}],"completed":[{"id":"3"}],"hasNext":false}',
    )
  })

  it('announces a fragment of which another one delivers everything: it would, if that one failed', () => {
    expectParts(
      '{ ... @defer { book { id } } ... @defer { book { id ... @defer { title } } } }',
      '{"data":{},"pending":[{"id":"1","path":[]},{"id":"2","path":[]}],"hasNext":true}',
      '{"incremental":[{"data":{"book":{"id":"a"}},"id":"1"}],"completed":[{"id":"1"}],"hasNext":true}',
      '{"completed":[{"id":"2"}],"pending":[{"id":"3","path":["book"]}],"hasNext":true}',
      '{"incremental":[{"data":{"title":"title a"},"id":"3"}],"completed":[{"id":"3"}],"hasNext":false}',
    )
  })

  it('never announces a fragment that would fail with the one that delivers everything of it', () => {
    expectParts(
      '{ book { ... @defer { id title ... @defer { id } } } }',
      '{"data":{"book":{}},"pending":[{"id":"1","path":["book"]}],"hasNext":true}',
      '{"incremental":[{"data":{"id":"a","title":"title a"},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}',
    )
  })

  it('puts an error where its object is delivered', () => {
    const document = parse('{ book { id ... @defer { cover { h } stock } } }')
    const name = { type_of_this_object: 'Book' }
    const data = { book: { id: null, stock: 1, cover: { h: null, type_of_this_object: 'Cover' }, ...name } }
    const errorPaths = [
      ['book', 'id'],
      ['book', 'cover', 'h'],
    ]
    const expected = expectStream(
      { schema, document },
      { data: { ...data, type_of_this_object: 'Query' }, errorPaths },
    )
    const parts = expected === null ? [] : produceStream(expected, () => 0)
    expect(parts[0]?.errors?.map(({ path }) => path)).toEqual([['book', 'id']])
    expect(parts[1]?.incremental?.[0]?.errors?.map(({ path }) => path)).toEqual([['book', 'cover', 'h']])
  })
})
