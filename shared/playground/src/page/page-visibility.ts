/** Whether anybody can see the page: https://www.w3.org/TR/page-visibility/ */
export type Visibility = {
  readonly isHidden: () => boolean
  /** Calls `listener` whenever that changes. */
  readonly onChange: (listener: () => void) => void
}

export const PAGE_VISIBILITY: Visibility = {
  isHidden: () => document.visibilityState === 'hidden',
  onChange: (listener) => document.addEventListener('visibilitychange', listener),
}

/** Resolves when the page can be seen. */
export function whenShown({ isHidden, onChange }: Visibility): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isHidden()) resolve()
    }
    onChange(look)
    look()
  })
}
