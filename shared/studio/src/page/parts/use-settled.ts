import { useEffect, useState } from 'react'

/** Milliseconds without a key before the registry is asked. */
const PAUSE = 200

/** Returns a text once it did not change for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
