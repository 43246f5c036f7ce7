import type { Ground } from '../ground/ground.ts'
import { answerTarget } from './answers.ts'
import { REGISTRY_CUTS, ROUTER_CUTS } from './cuts.ts'
import { framingTarget } from './framing.ts'
import { RECORDS } from './records.ts'
import { documentTarget, variableTarget } from './requests.ts'
import { SCHEMAS } from './schemas.ts'
import type { Target } from './target.ts'

export function openTargets(ground: Ground): readonly Target[] {
  return [
    documentTarget(ground),
    variableTarget(ground),
    answerTarget(ground),
    framingTarget(ground),
    ROUTER_CUTS,
    REGISTRY_CUTS,
    RECORDS,
    SCHEMAS,
  ]
}
