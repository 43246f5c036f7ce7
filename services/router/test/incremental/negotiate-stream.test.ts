import { describe, expect, it } from 'vitest'
import { parseAccept } from '../../src/http/media-ranges.ts'
import { negotiateStream } from '../../src/incremental/negotiate-stream.ts'

const stream = { kind: 'stream' }
const refused = { kind: 'not-accepted' }
const other = (asked: string) => ({ kind: 'other-format', asked })

describe('a client that sends Accept', () => {
  it.each([
    // A stream in our format, or in none that is named.
    [undefined, stream],
    ['', stream],
    ['  ', stream],
    ['multipart/mixed', stream],
    ['Multipart/MIXED', stream],
    ['multipart/mixed;incrementalSpec=v0.2', stream],
    ['multipart/mixed;incrementalSpec="v0.2"', stream],
    ['multipart/mixed ; INCREMENTALSPEC = "V0\\.2"', stream],
    ['multipart/mixed;boundary=x;charset=utf-8', stream],
    ['application/json, multipart/mixed;incrementalSpec=v0.2', stream],
    ['multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9', stream],
    ['multipart/mixed;q=0.001', stream],
    ['text/html;x="a,b;c=\\"", multipart/mixed', stream],
    ['multipart/mixed;;incrementalSpec=v0.2;', stream],
    [',,multipart/mixed,', stream],
    // One of two is ours.
    ['multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2', stream],
    ['multipart/mixed;deferSpec=20220824, multipart/mixed', stream],
    ['multipart/mixed;incrementalSpec=v0.2;deferSpec=20220824', stream],
    ['multipart/mixed;subscriptionSpec=1.0, multipart/mixed', stream],
    // Another format goes before wildcards.
    ['multipart/mixed;deferSpec=20220824', other('deferSpec=20220824')],
    ['multipart/mixed;deferSpec=20220824, */*', other('deferSpec=20220824')],
    ['*/*, multipart/*, multipart/mixed;deferspec="20220824"', other('deferSpec=20220824')],
    ['multipart/mixed;incrementalSpec=v0.1', other('incrementalSpec=v0.1')],
    ['multipart/mixed;incrementalSpec="v0.3,x"', other('incrementalSpec=v0.3,x')],
    [
      'multipart/mixed;incrementalSpec=v0.1;subscriptionSpec=1.0, application/json',
      other('incrementalSpec=v0.1'),
    ],
    // Wildcards.
    ['*/*', stream],
    ['multipart/*', stream],
    ['text/html, */*;q=0.1', stream],
    ['application/json, multipart/*;q=0.5', stream],
    ['multipart/mixed;subscriptionSpec=1.0, */*', stream],
    // Nothing of that.
    ['application/json', refused],
    ['application/graphql-response+json, application/json;q=0.9', refused],
    ['application/*', refused],
    ['multipart/form-data', refused],
    ['multipart/mixed;subscriptionSpec=1.0', refused],
    ['multipart/mixed;subscriptionSpec="1.0", application/json', refused],
    ['text/html;x="multipart/mixed"', refused],
    // Refused by q=0; a refused multipart/mixed takes the wildcards away, a more precise range counts more.
    ['multipart/mixed;q=0', refused],
    ['multipart/mixed;Q=0.000, */*', refused],
    ['multipart/mixed;q="0", multipart/*, */*', refused],
    ['multipart/mixed;incrementalSpec=v0.2;q=0, */*', refused],
    ['multipart/mixed;q=0, multipart/mixed;incrementalSpec=v0.2', stream],
    ['multipart/mixed;deferSpec=20220824;q=0, */*', stream],
    ['multipart/mixed;deferSpec=20220824;q=0', refused],
    ['multipart/mixed;deferSpec=20220824, multipart/mixed;q=0, */*', other('deferSpec=20220824')],
    ['multipart/*;q=0, */*', refused],
    ['*/*;q=0', refused],
    ['*/*;q=0, multipart/mixed', stream],
    ['*/*;q=0, multipart/*;q=0.1', stream],
    // Odd and illegal qualities.
    ['multipart/mixed;q=.0', refused],
    ['multipart/mixed;q=0.', refused],
    ['multipart/mixed;q=0.00000', refused],
    ['multipart/mixed;q=.5', stream],
    ['multipart/mixed;q=7', stream],
    ['multipart/mixed;q=-1', stream],
    ['multipart/mixed;q=none', stream],
    ['multipart/mixed;q=', stream],
    // Malformed elements are as if they were not there.
    ['multipart', refused],
    ['*', refused],
    ['*/mixed', refused],
    ['multipart/mixed/x', refused],
    ['multi part/mixed', refused],
    ['multipart/mixed;incrementalSpec', refused],
    ['multipart/mixed;deferSpec', refused],
    ['multipart/mixed;deferSpec=, */*', stream],
    ['multipart/mixed;deferSpec="20220824, */*', refused],
    ['multipart/mixed;=v0.2', refused],
    ['multipart/mixed;a=b c', refused],
    ['image/gif, *; q=.2, */*; q=.2', stream],
    ['@/@, multipart/mixed', stream],
  ])('%j', (accept, expected) => {
    expect(negotiateStream(accept)).toEqual(expected)
  })

  it('in several lines is taken as if they were one', () => {
    const lines = ['application/json', 'multipart/mixed;deferSpec=1', '*/*']
    expect(negotiateStream(lines.join(', '))).toEqual(other('deferSpec=1'))
  })
})

describe('a media range', () => {
  it('has its type and names in lower case, its values as written, and a quality from 0 to 1', () => {
    const [range] = parseAccept('Text/HTML; Charset="U\\tf-8"; level=1; LEVEL=2; q=5')
    expect(range).toEqual({
      type: 'text/html',
      parameters: new Map([
        ['charset', 'Utf-8'],
        ['level', '1'],
      ]),
      quality: 1,
    })
  })
})
