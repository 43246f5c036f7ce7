import { describe, expect, it } from 'vitest'
import { attempt, EnvironmentError, failedDocument, listProblems, problemsIn } from '../src/index.ts'

const OUTCOME = 'The settings are not usable.'

describe('what is wrong', () => {
  it('is a sentence when it is one thing', () => {
    expect(listProblems(OUTCOME, ['port: expected a number'])).toBe(`${OUTCOME} port: expected a number.`)
    expect(listProblems(OUTCOME, ['did you mean "port"?'])).toBe(`${OUTCOME} did you mean "port"?`)
  })

  it('is a numbered list when it is several, a line each', () => {
    expect(listProblems(OUTCOME, ['port: expected a number', 'hots: unknown'])).toBe(
      `${OUTCOME}\n  1. port: expected a number\n  2. hots: unknown`,
    )
  })

  it('has its further lines under its first one, so that they do not look like other problems', () => {
    expect(listProblems(OUTCOME, ['one\n  2. not the second', 'two'])).toBe(
      `${OUTCOME}\n  1. one\n       2. not the second\n  2. two`,
    )
  })

  it('is gathered from several readings, unless one fails otherwise', async () => {
    const problems: string[] = []
    const fail = (...texts: string[]) => {
      throw new EnvironmentError(texts)
    }
    expect(await attempt(() => fail('a', 'b'), problems)).toBeNull()
    expect(await attempt(async () => fail('c'), problems)).toBeNull()
    expect(await attempt(() => 1, problems)).toBe(1)
    expect(problems).toEqual(['a', 'b', 'c'])
    const other = attempt(() => {
      throw new Error('the disk is full')
    }, problems)
    await expect(other).rejects.toThrow('the disk is full')
  })

  it('is in the JSON document of a start that failed, one by one', () => {
    const error = new EnvironmentError(['a is not set', 'b is not set'])
    expect(problemsIn(error)).toEqual(['a is not set', 'b is not set'])
    expect(JSON.parse(failedDocument(error))).toMatchObject({
      error: { code: 'ENVIRONMENT_INVALID', problems: ['a is not set', 'b is not set'] },
    })
  })
})
