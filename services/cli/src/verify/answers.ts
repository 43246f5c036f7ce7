/** The reply of a gateway to an operation: its answer, or the code with which it refuses. */
import { type Opinion, type SecondOpinion, SecondOpinionError } from '@switchyard/second-opinion'
import type { OurAnswer } from './engine-gateway.ts'
import type { VerifyOperation } from './operation.ts'

/** The refusal of a gateway. */
export type GatewayRefusal = { readonly code: string; readonly message: string }

/** The answer of the engine, or its refusal. Rejects for an error that has no code. */
export async function answerOf(ask: () => Promise<OurAnswer>): Promise<OurAnswer | GatewayRefusal> {
  try {
    return await ask()
  } catch (error) {
    return refusalOf(error)
  }
}

/** The answer of the stitched gateway, or its refusal. Rejects for an error that has no code. */
export async function opinionOf(
  gateway: SecondOpinion | SecondOpinionError,
  { query, variables, operationName }: VerifyOperation,
): Promise<Opinion | GatewayRefusal> {
  if (gateway instanceof SecondOpinionError) return refusalOf(gateway)
  try {
    return await gateway.execute({ query, variables, operationName })
  } catch (error) {
    return refusalOf(error)
  }
}

/** A refusal has a code; anything else is a defect of ours, and not for the user to weigh. */
function refusalOf(error: unknown): GatewayRefusal {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return { code: error.code, message: error.message }
  throw error
}
