/** Says why buttons of a page are off. Renders nothing where the session may use them. */
export function Refusal({ reason }: { readonly reason: string | null }) {
  return reason === null ? null : (
    <div className="notice">
      <p>{reason} Sign in with a key or a role that may, or ask somebody who has one.</p>
    </div>
  )
}
