/**
 * Whether compositions are to be stored as a whole, as routers of before read them. With the form `pieces`
 * they are not, as soon as every router that is heard reads pieces.
 */
import type { Announcer } from '@switchyard/event-log'
import { hearRouters, type Logger, RouterForms } from '@switchyard/service-kit'
import type { ArtifactForm } from './config.ts'

/** Routers in one line of the log. */
const MAX_NAMED = 20

export type WholeNeededOptions = {
  readonly form: ArtifactForm
  readonly announcer: Announcer
  readonly logger: Logger
  /** Called when it becomes known that routers need the whole, with their names. */
  readonly onNeeded: (routers: readonly string[]) => void
  /** Milliseconds until all routers were heard; those of three heartbeats if it is not given. */
  readonly listenMs?: number | undefined
  readonly monotonicNow?: () => number
}

export class WholeNeeded implements Disposable {
  readonly #onNeeded: WholeNeededOptions['onNeeded']
  /** The forms that routers read; null where nobody asks for them. */
  readonly #routers: RouterForms | null
  readonly #heard: Disposable | null
  #isTold = false

  constructor({ form, announcer, logger, onNeeded, listenMs, monotonicNow }: WholeNeededOptions) {
    this.#onNeeded = onNeeded
    const routers = form === 'both' ? null : new RouterForms({ listenMs, monotonicNow })
    this.#routers = routers
    this.#heard =
      routers &&
      hearRouters({
        subscribe: (subject, handler) => announcer.subscribe(subject, handler),
        logger,
        onHeartbeat: (heartbeat) => routers.heard(heartbeat),
      })
  }

  /**
   * True for the form `both`, and while a router may need the whole. Where no router is heard at all, this
   * service may not be allowed to hear them.
   */
  get isNeeded(): boolean {
    if (this.#routers === null) return true
    const { old } = this.#routers
    if (old.length > 0 && !this.#isTold) this.#onNeeded(old.slice(0, MAX_NAMED))
    this.#isTold = old.length > 0
    return !this.#routers.areNew
  }

  [Symbol.dispose](): void {
    this.#heard?.[Symbol.dispose]()
  }
}
