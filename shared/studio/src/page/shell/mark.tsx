/** The sign of Switchyard: a track, and the one that branches off. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="mark-ground" />
      <path d="M6 22h20M8 22c7 0 8-12 17-12" className="mark-tracks" />
      <circle cx="25" cy="10" r="2.6" className="mark-signal" />
    </svg>
  )
}
