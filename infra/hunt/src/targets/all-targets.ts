import { answerTarget } from './answers.ts'
import { REGISTRY_CUTS, ROUTER_CUTS } from './cuts.ts'
import { framingTarget } from './framing.ts'
import { RECORDS } from './records.ts'
import { SCHEMAS } from './schemas.ts'
import type { Ground } from '../ground/ground.ts'
import { DOCUMENT_SEEDS, VARIABLE_SEEDS } from './request-seeds.ts'
import { requestTarget } from './requests.ts'
import type { Hunted } from './target.ts'

export function openTargets(ground: Ground): readonly Hunted[] {
  return [
    requestTarget('documents', 'document', 4, DOCUMENT_SEEDS, ground),
    requestTarget('variables', 'body', 15, VARIABLE_SEEDS, ground),
    answerTarget(ground),
    framingTarget(ground),
    ROUTER_CUTS,
    REGISTRY_CUTS,
    RECORDS,
    SCHEMAS,
  ]
}
